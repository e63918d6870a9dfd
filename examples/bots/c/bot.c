/* A bot for both games in C: the standard library alone (docs/reference/protocol.md).

   It stands on 18 or better in Pazaak, and wants 18 or better of its hand in Sabacc. It looks at
   nothing but the observation, so that any number of matches can go on at once; a bot that
   remembers things keeps them by the message's "match". It takes the default side deck.

   JSON is not turned into anything: a value is a pointer to where it begins in the line, and
   skip() finds where it ends. The answer is one of the texts in legal_actions, copied as it
   stands. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GOOD = 18, POOR = 6, AVERAGE = 7, MOST_CARDS = 8 };

/* Reading JSON */

static const char *blank(const char *at)
{
    return at + strspn(at, " \t\r\n");
}

static const char *skip_string(const char *at)
{
    for (at++; *at && *at != '"'; at++)
        if (*at == '\\' && at[1])
            at++;
    return *at ? at + 1 : at;
}

/* Where the value at this place ends. */
static const char *skip(const char *at)
{
    int depth = 0;
    if (*at == '"')
        return skip_string(at);
    if (*at != '{' && *at != '[')
        return at + strcspn(at, ",]} \t\r\n");
    while (*at) {
        if (*at == '"') {
            at = skip_string(at);
            continue;
        }
        depth += (*at == '{' || *at == '[') - (*at == '}' || *at == ']');
        at++;
        if (depth == 0)
            break;
    }
    return at;
}

/* Whether a string begins with these characters. */
static int begins(const char *value, const char *with)
{
    return value && *value == '"' && !strncmp(value + 1, with, strlen(with));
}

static int equals(const char *value, const char *text)
{
    return begins(value, text) && value[1 + strlen(text)] == '"';
}

/* The value of an object's member, or NULL; members that nobody knows are passed over. */
static const char *member(const char *object, const char *name)
{
    const char *at = object;
    while (at && (*at == '{' || *at == ',')) {
        const char *found = blank(at + 1);
        const char *value = blank(skip(found));
        if (*found != '"' || *value != ':')
            return NULL;
        value = blank(value + 1);
        if (equals(found, name))
            return value;
        at = blank(skip(value));
    }
    return NULL;
}

/* The first item of a list, or NULL. */
static const char *first(const char *list)
{
    const char *item = list && *list == '[' ? blank(list + 1) : NULL;
    return item && *item && *item != ']' ? item : NULL;
}

/* The item after that one, or NULL. */
static const char *next(const char *item)
{
    const char *at = blank(skip(item));
    return *at == ',' ? blank(at + 1) : NULL;
}

static int number(const char *value)
{
    return value ? atoi(value) : 0;
}

static int truth(const char *value)
{
    return value && *value == 't';
}

/* The first item that begins so, or NULL. */
static const char *find(const char *list, const char *with)
{
    const char *item = first(list);
    while (item && !begins(item, with))
        item = next(item);
    return item;
}

/* Pazaak */

/* The number that a card adds, at the end of "play +3" and "play ±4 as -4"; else 0. */
static int added(const char *action)
{
    const char *last = skip(action) - 1;
    while (last > action && *last != ' ')
        last--;
    return last[1] == '+' || last[1] == '-' ? atoi(last + 1) : 0;
}

/* A hand card that makes a good total, else stand on a good total, else end the turn. */
static const char *pazaak(const char *seen)
{
    const char *legal = member(seen, "legal_actions"), *best = NULL;
    int total = number(member(seen, "total")), good = GOOD, content;
    if (truth(member(seen, "rival_standing"))) {
        good = number(member(seen, "rival_total")) + 1;
        good = good > 20 ? 20 : good;
    }
    content = good <= total && total <= 20;
    for (const char *item = first(legal); item && !content; item = next(item)) {
        int after = total + added(item);
        if (begins(item, "play") && after <= 20 && (after >= good || total > 20))
            if (!best || after > total + added(best))
                best = item;
    }
    return best ? best : find(legal, content ? "stand" : "end turn");
}

/* Sabacc */

static const struct {
    const char *name;
    int value;
} NAMED[] = {
    {"Commander", 12},
    {"Mistress", 13},
    {"Master", 14},
    {"Ace", 15},
    /* By the rules of the Old Republic; other variants have other values. */
    {"Idiot", 0},
    {"Rancor", 9},
    {"Jedi Knight", 3},
    {"Jedi Master", 3},
    {"Dark Jedi", -14},
    {"Lord of the Sith", 10},
    {"Smuggler", 10},
    {"Bounty Hunter", 9},
};

static int printed(const char *card)
{
    for (size_t row = 0; row < sizeof NAMED / sizeof *NAMED; row++)
        if (begins(card, NAMED[row].name))
            return NAMED[row].value;
    return atoi(card + 1); /* after its quote: "7 of Coins" */
}

/* The worth of a total: 23 for a sabacc, 0 for a hand that loses. */
static int worth_of(int total)
{
    if (total == 23 || total == 46 || total == -23)
        return 23;
    if (0 <= total && total <= 45)
        return total % 23;
    return -23 < total && total < 0 ? -total : 0;
}

/* 0 to 23; a five is any of 1 to 11 or -1 to -11, whatever is best. */
static int strength(const int *values, int cards, int total)
{
    int best = 0;
    if (cards == 0)
        return worth_of(total);
    if (*values != 5)
        return strength(values + 1, cards - 1, total + *values);
    for (int wild = -11; wild <= 11; wild++) {
        int worth = wild ? strength(values + 1, cards - 1, total + wild) : 0;
        best = worth > best ? worth : best;
    }
    return best;
}

/* How far from 23 the hand is after "exchange 1 3", if average cards come. */
static int distance(const char *exchange, const int *values, int cards)
{
    int total = 0;
    for (int place = 0; place < cards; place++)
        total += values[place];
    for (const char *at = exchange + 1; at < skip(exchange); at++)
        if ('1' <= *at && *at - '1' < cards)
            total += AVERAGE - values[*at - '1'];
    return abs(23 - total);
}

/* Improves a weak hand, folds a poor one where staying costs, and bets the least. */
static const char *sabacc(const char *seen)
{
    static const char *const free_of_charge[] = {"pass", "check"};
    static const char *const stakes[] = {"call", "put", "all in"}; /* the least is listed first */
    const char *legal = member(seen, "legal_actions"), *best = NULL, *found;
    int values[MOST_CARDS], cards = 0, worth;
    const char *card = first(member(seen, "hand"));
    for (; card && cards < MOST_CARDS; card = next(card))
        values[cards++] = printed(card);
    worth = strength(values, cards, 0);
    if (worth >= GOOD && (found = find(legal, "keep")))
        return found;
    for (const char *item = first(legal); item; item = next(item))
        if (begins(item, "keep") || begins(item, "exchange"))
            if (!best || distance(item, values, cards) < distance(best, values, cards))
                best = item;
    if (best)
        return best;
    if (worth < GOOD && (found = find(legal, "draw")))
        return found;
    for (int row = 0; row < 2; row++)
        if ((found = find(legal, free_of_charge[row])))
            return found;
    for (int row = 0; row < 3 && worth >= POOR; row++)
        if ((found = find(legal, stakes[row])))
            return found;
    found = find(legal, "fold");
    return found ? found : first(legal);
}

/* Answers line after line until the harness closes stdin. */
int main(void)
{
    const char *(*choose)(const char *) = pazaak;
    char *line = NULL;
    size_t room = 0;
    while (getline(&line, &room, stdin) > 0) {
        const char *message = blank(line), *type = member(message, "type");
        const char *id = member(message, "id"), *action;
        if (equals(type, "hello")) {
            choose = equals(member(message, "game"), "pazaak") ? pazaak : sabacc;
            puts("{\"protocol\": 1, \"name\": \"in C\", \"games\": [\"pazaak\", \"sabacc\"], "
                 "\"batch\": 64}");
        } else if (equals(type, "start")) {
            printf("{\"id\": %.*s}\n", (int)(skip(id) - id), id);
        } else if (equals(type, "decide")) {
            action = choose(member(message, "observation"));
            printf("{\"id\": %.*s, \"action\": %.*s}\n", (int)(skip(id) - id), id,
                   (int)(skip(action) - action), action);
        }
        fflush(stdout); /* the harness waits for the answer */
    }
    free(line);
    return 0;
}
