"""Letters about a tournament: to a folder, to the terminal, or as JSON."""

from __future__ import annotations

from pathlib import Path
from time import perf_counter

from arena.cli.terminal.output import TextOrJson, counted, say, show_json, stdout, write
from arena.cli.terminal.wiring import registry
from arena.pages.letter import letter_document, letter_file, write_letters
from arena.service.letters.letter import check_new_folder
from arena.service.letters.tournaments import tournament_letters
from arena.service.storage.databases import open_database

RULE = "-" * 78


def show_letters(
    number: int, folder: Path | None, url: str, decisions: int, db: str, output: TextOrJson
) -> None:
    """Writes the letters of a tournament."""
    if folder:
        check_new_folder(folder, "dir")

    def searching(matches: int) -> None:
        count = counted(matches, "lost match", "lost matches")
        say(f"Searching {count} for bad decisions, at most {decisions} of each bot ...")

    begun = perf_counter()
    with open_database(db) as results:
        letters = tournament_letters(
            registry(), results, number, decisions=decisions, url=url, searching=searching
        )
    seconds = perf_counter() - begun
    if folder:
        write_letters(folder, letters, "dir")
    if output is TextOrJson.JSON:
        show_json([*map(letter_document, letters)])
    elif not folder:
        write(stdout(), f"{RULE}\n".join(map(letter_file, letters)).rstrip("\n"))
    to = f"Wrote {counted(len(letters), 'letter')}{f' to {folder}' if folder else ''}"
    say(f"{to} in {seconds:.1f} s")
