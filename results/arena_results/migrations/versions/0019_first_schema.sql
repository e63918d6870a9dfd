CREATE TABLE tournament (
    checksum BLOB DEFAULT (x'') NOT NULL,
    id INTEGER NOT NULL,
    name VARCHAR NOT NULL,
    game VARCHAR NOT NULL,
    ruleset VARCHAR NOT NULL,
    engine VARCHAR NOT NULL,
    format VARCHAR NOT NULL,
    games INTEGER NOT NULL,
    mirrored BOOLEAN NOT NULL,
    rounds INTEGER NOT NULL,
    seed BIGINT,
    "key" VARCHAR,
    seed_origin VARCHAR NOT NULL,
    nonce VARCHAR,
    commitment VARCHAR,
    value_function VARCHAR,
    value_hash VARCHAR,
    stake BIGINT NOT NULL,
    purse BIGINT NOT NULL,
    status VARCHAR NOT NULL,
    spec TEXT NOT NULL,
    created_at DATETIME NOT NULL,
    finished_at DATETIME,
    entry_count INTEGER DEFAULT '0' NOT NULL,
    round_count INTEGER DEFAULT '0' NOT NULL,
    match_count INTEGER DEFAULT '0' NOT NULL,
    pause VARCHAR DEFAULT '' NOT NULL,
    void_count INTEGER DEFAULT '0' NOT NULL,
    ruling_count INTEGER DEFAULT '0' NOT NULL,
    log_count INTEGER DEFAULT '0' NOT NULL,
    CONSTRAINT pk_tournament PRIMARY KEY (id)
);

CREATE TABLE participant (
    id INTEGER NOT NULL,
    "key" VARCHAR NOT NULL,
    name VARCHAR NOT NULL,
    version VARCHAR NOT NULL,
    content VARCHAR NOT NULL,
    CONSTRAINT pk_participant PRIMARY KEY (id),
    CONSTRAINT uq_participant_key UNIQUE ("key")
);

CREATE TABLE value_function (
    checksum BLOB DEFAULT (x'') NOT NULL,
    hash VARCHAR NOT NULL,
    name VARCHAR NOT NULL,
    content BLOB NOT NULL,
    CONSTRAINT pk_value_function PRIMARY KEY (hash)
);

CREATE TABLE board (
    game VARCHAR NOT NULL,
    ruleset VARCHAR NOT NULL,
    rows BLOB NOT NULL,
    fits BLOB NOT NULL,
    CONSTRAINT pk_board PRIMARY KEY (game, ruleset)
);

CREATE TABLE submission (
    id INTEGER NOT NULL,
    name VARCHAR NOT NULL,
    version VARCHAR NOT NULL,
    content VARCHAR NOT NULL,
    author VARCHAR NOT NULL,
    licence VARCHAR NOT NULL,
    games TEXT NOT NULL,
    language VARCHAR NOT NULL,
    kind VARCHAR NOT NULL,
    target TEXT NOT NULL,
    requires TEXT NOT NULL,
    archive BLOB NOT NULL,
    status VARCHAR NOT NULL,
    deterministic BOOLEAN NOT NULL,
    report TEXT NOT NULL,
    submitted_at DATETIME NOT NULL,
    CONSTRAINT pk_submission PRIMARY KEY (id),
    CONSTRAINT uq_submission_name UNIQUE (name, version)
);

CREATE TABLE token (
    id INTEGER NOT NULL,
    author VARCHAR NOT NULL,
    start VARCHAR NOT NULL,
    digest BLOB NOT NULL,
    made_at DATETIME NOT NULL,
    used_at DATETIME,
    revoked_at DATETIME,
    CONSTRAINT pk_token PRIMARY KEY (id),
    CONSTRAINT uq_token_digest UNIQUE (digest)
);

CREATE INDEX ix_token_author ON token (author);

CREATE TABLE upload (
    id INTEGER NOT NULL,
    author VARCHAR NOT NULL,
    file VARCHAR NOT NULL,
    size INTEGER NOT NULL,
    archive BLOB NOT NULL,
    state VARCHAR NOT NULL,
    ran BOOLEAN NOT NULL,
    attempts INTEGER NOT NULL,
    bot VARCHAR NOT NULL,
    text TEXT NOT NULL,
    document TEXT NOT NULL,
    received_at DATETIME NOT NULL,
    changed_at DATETIME NOT NULL,
    CONSTRAINT pk_upload PRIMARY KEY (id)
);

CREATE INDEX ix_upload_state ON upload (state);

CREATE INDEX ix_upload_author ON upload (author);

CREATE TABLE entry (
    checksum BLOB DEFAULT (x'') NOT NULL,
    tournament_id INTEGER NOT NULL,
    "index" INTEGER NOT NULL,
    participant_id INTEGER NOT NULL,
    rating FLOAT NOT NULL,
    author VARCHAR DEFAULT '' NOT NULL,
    CONSTRAINT pk_entry PRIMARY KEY (tournament_id, "index"),
    CONSTRAINT fk_entry_tournament_id_tournament FOREIGN KEY(tournament_id) REFERENCES tournament (id),
    CONSTRAINT fk_entry_participant_id_participant FOREIGN KEY(participant_id) REFERENCES participant (id)
);

CREATE TABLE round (
    checksum BLOB DEFAULT (x'') NOT NULL,
    tournament_id INTEGER NOT NULL,
    number INTEGER NOT NULL,
    pairings TEXT NOT NULL,
    byes TEXT NOT NULL,
    chain VARCHAR,
    CONSTRAINT pk_round PRIMARY KEY (tournament_id, number),
    CONSTRAINT fk_round_tournament_id_tournament FOREIGN KEY(tournament_id) REFERENCES tournament (id)
);

CREATE TABLE ruling (
    checksum BLOB DEFAULT (x'') NOT NULL,
    tournament_id INTEGER NOT NULL,
    number INTEGER NOT NULL,
    kind VARCHAR NOT NULL,
    entry INTEGER NOT NULL,
    round INTEGER NOT NULL,
    now BOOLEAN NOT NULL,
    points FLOAT NOT NULL,
    void BOOLEAN NOT NULL,
    reason TEXT NOT NULL,
    made_at DATETIME NOT NULL,
    CONSTRAINT pk_ruling PRIMARY KEY (tournament_id, number),
    CONSTRAINT fk_ruling_tournament_id_tournament FOREIGN KEY(tournament_id) REFERENCES tournament (id)
);

CREATE TABLE dictionary (
    checksum BLOB DEFAULT (x'') NOT NULL,
    tournament_id INTEGER NOT NULL,
    content BLOB NOT NULL,
    CONSTRAINT pk_dictionary PRIMARY KEY (tournament_id),
    CONSTRAINT fk_dictionary_tournament_id_tournament FOREIGN KEY(tournament_id) REFERENCES tournament (id)
);

CREATE TABLE session (
    digest BLOB NOT NULL,
    token_id INTEGER NOT NULL,
    made_at DATETIME NOT NULL,
    CONSTRAINT pk_session PRIMARY KEY (digest),
    CONSTRAINT fk_session_token_id_token FOREIGN KEY(token_id) REFERENCES token (id)
);

CREATE TABLE season (
    league VARCHAR NOT NULL,
    number INTEGER NOT NULL,
    tournament_id INTEGER NOT NULL,
    CONSTRAINT pk_season PRIMARY KEY (league, number),
    CONSTRAINT uq_season_tournament_id UNIQUE (tournament_id),
    CONSTRAINT fk_season_tournament_id_tournament FOREIGN KEY(tournament_id) REFERENCES tournament (id)
);

CREATE TABLE "match" (
    checksum BLOB DEFAULT (x'') NOT NULL,
    tournament_id INTEGER NOT NULL,
    round INTEGER NOT NULL,
    pairing INTEGER NOT NULL,
    leg INTEGER NOT NULL,
    seats BLOB NOT NULL,
    seed BIGINT NOT NULL,
    returns BLOB NOT NULL,
    scores BLOB NOT NULL,
    termination VARCHAR,
    offender INTEGER,
    move INTEGER,
    expelled BLOB NOT NULL,
    record BLOB NOT NULL,
    nanoseconds BLOB NOT NULL,
    requests BLOB NOT NULL,
    isolation VARCHAR,
    error TEXT NOT NULL,
    cpu_nanoseconds BLOB NOT NULL,
    CONSTRAINT pk_match PRIMARY KEY (tournament_id, round, pairing, leg),
    CONSTRAINT fk_match_tournament_id_round FOREIGN KEY(tournament_id, round) REFERENCES round (tournament_id, number)
)
 WITHOUT ROWID;

CREATE TABLE void (
    checksum BLOB DEFAULT (x'') NOT NULL,
    tournament_id INTEGER NOT NULL,
    round INTEGER NOT NULL,
    pairing INTEGER NOT NULL,
    leg INTEGER NOT NULL,
    attempt INTEGER NOT NULL,
    cause VARCHAR NOT NULL,
    offender INTEGER,
    reason TEXT NOT NULL,
    at DATETIME NOT NULL,
    CONSTRAINT pk_void PRIMARY KEY (tournament_id, round, pairing, leg, attempt),
    CONSTRAINT fk_void_tournament_id_round FOREIGN KEY(tournament_id, round) REFERENCES round (tournament_id, number)
);

CREATE TABLE tally (
    checksum BLOB DEFAULT (x'') NOT NULL,
    tournament_id INTEGER NOT NULL,
    round INTEGER NOT NULL,
    pairing INTEGER NOT NULL,
    sums BLOB NOT NULL,
    CONSTRAINT pk_tally PRIMARY KEY (tournament_id, round, pairing),
    CONSTRAINT fk_tally_tournament_id_round FOREIGN KEY(tournament_id, round) REFERENCES round (tournament_id, number)
)
 WITHOUT ROWID;

CREATE TABLE luck (
    checksum BLOB DEFAULT (x'') NOT NULL,
    tournament_id INTEGER NOT NULL,
    round INTEGER NOT NULL,
    pairing INTEGER NOT NULL,
    sums BLOB NOT NULL,
    CONSTRAINT pk_luck PRIMARY KEY (tournament_id, round, pairing),
    CONSTRAINT fk_luck_tournament_id_round FOREIGN KEY(tournament_id, round) REFERENCES round (tournament_id, number)
)
 WITHOUT ROWID;

CREATE TABLE log (
    checksum BLOB DEFAULT (x'') NOT NULL,
    tournament_id INTEGER NOT NULL,
    round INTEGER NOT NULL,
    pairing INTEGER NOT NULL,
    leg INTEGER NOT NULL,
    seat INTEGER NOT NULL,
    entrant INTEGER NOT NULL,
    cause VARCHAR NOT NULL,
    text TEXT NOT NULL,
    CONSTRAINT pk_log PRIMARY KEY (tournament_id, round, pairing, leg, seat),
    CONSTRAINT fk_log_tournament_id_match FOREIGN KEY(tournament_id, round, pairing, leg) REFERENCES "match" (tournament_id, round, pairing, leg)
);
