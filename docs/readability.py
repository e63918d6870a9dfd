"""Measures how readable the pages are, and holds the limits that ``make docs`` and a test keep.

``python docs/readability.py`` prints a row per page and exits with 1 if a page is over a limit;
``--longest N`` adds the N longest sentences of each page. Give pages to measure only these.

``docs/terms.tsv`` lists words that have a plainer one; none may be on a page, outside of code.

Code, tables, headings, pictures and comments are not counted. Inline code counts as one word, a
list item as a block of its own. Rates are per 100 words. Chains are "who", "whose", "of which",
"those that" and their like. Flesch's reading ease has no limit: short words score well however
they are chained.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
MAX_MEAN = 18.0
"""Most words per sentence of a page, as a mean."""
MAX_SENTENCE = 40
"""Most words of one sentence."""
MAX_RATES = {";": 0.3, "(": 0.7, "chains": 0.4}
"""Most per 100 words; one is always allowed, so that short pages are not ruled by rounding."""
MIN_YOU = 1.5
"""Fewest "you" and "your" per 100 words in tutorials and how-to guides."""
GUIDES = ("docs/tutorials/", "docs/howto/")
EXEMPT = ("CHANGELOG.md", "docs/rules/")
"""The changelog keeps what was written; rule books quote rules."""
ABBREVIATIONS = re.compile(r"\b(e\.g|i\.e|vs|cf|al)\.")
END = re.compile(r"(?<=[.!?])[\"')\]]*\s+(?=[A-Z0-9\"'(\[`])")
CHAIN = re.compile(
    r"\b(who|whose|whom|whoever)\b|\b(those|that) of\b|\bthose that\b|\ball that\b"
    r"|\b(of|by|in|from|at|to) which\b"
    r"|\bwhat (is|was|comes|came|it|has|they|a|the|others|everybody)\b",
    re.IGNORECASE,
)
YOU = re.compile(r"\b(you|your)\b", re.IGNORECASE)
WORD = re.compile(r"[A-Za-z0-9][A-Za-z0-9'’_.,/%+-]*")
FENCE = re.compile(r"^\s*(`{3,}|~{3,})\s*([\w{-][^`]*)?$")
ITEM = re.compile(r"^\s*([-*+]|\d+\.)\s+")
MARKUP = (
    (re.compile(r"!\[[^\]]*\]\([^)]*\)"), ""),
    (re.compile(r"\[([^\]]*)\]\([^)]*\)"), r"\1"),
    (re.compile(r"``.+?``|`[^`]+`"), "code"),
    (re.compile(r"[*_]{1,3}(?=\S)(.+?)(?<=\S)[*_]{1,3}"), r"\1"),
    (re.compile(r"<[^>]+>"), ""),
    (re.compile(r"\s+"), " "),
)
TERMS = [
    (re.compile(pattern, re.IGNORECASE), instead)
    for pattern, _, instead in (
        line.partition("\t")
        for line in (ROOT / "docs" / "terms.tsv").read_text("utf-8").split("\n")
    )
    if pattern and not pattern.startswith("#")
]
NOT_PROSE = (
    re.compile(r"^(`{3,}).*?^\1", re.MULTILINE | re.DOTALL),
    re.compile(r"<!--.*?-->", re.DOTALL),
    re.compile(r"``.+?``|`[^`]+`"),
    re.compile(r"(?<=\])\([^)]*\)"),
)
"""Code, comments and addresses, in which terms may be."""


class Sentence(NamedTuple):
    """Holds a sentence with its number of words and the line on which its block begins."""

    words: int
    line: int
    text: str


class Measured(NamedTuple):
    """Holds the figures of one page."""

    page: str
    sentences: list[Sentence]
    table_words: int
    terms: list[tuple[int, str]]

    @property
    def words(self) -> int:
        """The number of words of prose."""
        return sum(each.words for each in self.sentences)

    @property
    def mean(self) -> float:
        """The mean number of words per sentence."""
        return fmean([each.words for each in self.sentences] or [0])

    @property
    def longest(self) -> list[Sentence]:
        """The sentences, the longest first."""
        return sorted(self.sentences, reverse=True)

    @property
    def text(self) -> str:
        """The prose of the page, with a full stop after each sentence."""
        return " ".join(re.sub(r"[^.!?]$", r"\g<0>.", each.text) for each in self.sentences)

    def count(self, kind: str) -> int:
        """Returns how often one of ``you``, ``chains``, ``;`` and ``(`` occurs."""
        patterns = {"you": YOU, "chains": CHAIN}
        return len(patterns.get(kind, re.compile(re.escape(kind))).findall(self.text))

    def rate(self, kind: str) -> float:
        """Returns the count per 100 words."""
        return 100 * self.count(kind) / max(self.words, 1)

    def problems(self) -> Iterator[str]:
        """Yields a line for each limit that the page breaks."""
        if self.mean > MAX_MEAN:
            yield f"{self.page}: {self.mean:.1f} words per sentence, at most {MAX_MEAN:g}"
        for words, line, text in self.sentences:
            if words > MAX_SENTENCE:
                yield f"{self.page}:{line}: {words} words, at most {MAX_SENTENCE}: {text}"
        for kind, limit in MAX_RATES.items():
            if self.rate(kind) > limit and self.count(kind) > 1:
                yield f"{self.page}: {self.rate(kind):.1f} {kind} per 100 words, at most {limit}"
        if self.page.startswith(GUIDES) and self.rate("you") < MIN_YOU:
            yield f"{self.page}: {self.rate('you'):.1f} you per 100 words, at least {MIN_YOU}"
        for line, term in self.terms:
            yield f"{self.page}:{line}: {term}"


def pages() -> list[Path]:
    """Returns every page that the limits hold for."""
    docs = (path for path in ROOT.glob("docs/**/*.md") if "_build" not in path.parts)
    found = sorted([*ROOT.glob("*.md"), *docs])
    return [path for path in found if not path.relative_to(ROOT).as_posix().startswith(EXEMPT)]


def measure(path: Path) -> Measured:
    """Measures one page."""
    source = path.read_text("utf-8")
    prose, table = blocks(source)
    found = [
        Sentence(len(WORD.findall(each)), line, each)
        for line, text in prose
        for each in sentences(text)
    ]
    return Measured(path.resolve().relative_to(ROOT).as_posix(), found, table, [*terms(source)])


def blocks(source: str) -> tuple[list[tuple[int, str]], int]:
    """Returns the blocks of prose, each with its first line, and the number of words in tables."""
    found: list[tuple[int, list[str]]] = [(0, [])]
    table, fenced = 0, ""
    source = re.sub(r"<!--.*?-->", lambda m: "\n" * m.group().count("\n"), source, flags=re.S)
    for number, line in enumerate(source.splitlines(), 1):
        fence = FENCE.match(line)
        if fenced:
            fenced = "" if fence and fence[1].startswith(fenced) and not fence[2] else fenced
            continue
        ends = not line.strip() or line.startswith(("#", "    "))
        if fence:
            fenced = fence[1]
        elif line.lstrip().startswith("|"):
            table += len(WORD.findall(plain(line)))
        elif not ends:
            if ITEM.match(line):
                found.append((number, []))
            text = ITEM.sub("", line).lstrip("> ")
            found[-1] = (found[-1][0] if found[-1][1] else number, [*found[-1][1], text])
            continue
        found.append((number, []))
    whole = ((line, plain(" ".join(parts))) for line, parts in found)
    return [(line, text) for line, text in whole if text], table


def plain(text: str) -> str:
    """Returns the words of Markdown without its marks."""
    for pattern, instead in MARKUP:
        text = pattern.sub(instead, text)
    return text.strip()


def sentences(text: str) -> list[str]:
    """Returns the sentences of a block; neither colon nor semicolon ends one."""
    safe = ABBREVIATIONS.sub(lambda m: m.group().replace(".", "\0"), text)
    return [part.replace("\0", ".").strip() for part in END.split(safe) if WORD.search(part)]


def terms(text: str) -> Iterator[tuple[int, str]]:
    """Yields every word of the list of terms, with its line and the words in its place."""
    for pattern in NOT_PROSE:
        text = pattern.sub(lambda found: re.sub(r"[^\n]+", " ", found[0]), text)
    for number, line in enumerate(text.splitlines(), 1):
        for pattern, instead in TERMS:
            for found in pattern.finditer(line):
                yield number, f"{found[0]} -> {instead}"


def main() -> None:
    """Prints the table, and the limits that are broken."""
    import textstat  # of docs/requirements.lock

    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("pages", nargs="*", type=Path, help="Markdown files [every page]")
    parser.add_argument("--longest", type=int, default=0, metavar="N", help="show N sentences")
    given = parser.parse_args()
    measured = [measure(path) for path in given.pages or pages()]
    wide = max(len(each.page) for each in measured)
    heads = ("words", "tables", "mean", "max", "you", "chains", ";", "(", "terms", "Flesch")
    print(f"{'page':{wide}}", *(f"{head:>7}" for head in heads))
    for each in measured:
        rates = (f"{each.rate(kind):.1f}" for kind in ("you", "chains", ";", "("))
        most = each.longest[0].words if each.sentences else 0
        ease = textstat.flesch_reading_ease(each.text) if each.sentences else 0
        cells = (each.words, each.table_words, f"{each.mean:.1f}", most, *rates, len(each.terms))
        print(f"{each.page:{wide}}", *(f"{cell:>7}" for cell in (*cells, round(ease))))
        for words, line, text in each.longest[: given.longest]:
            print(f"    line {line}, {words} words: {text}")
    problems = [line for each in measured for line in each.problems()]
    print(*problems, sep="\n", file=sys.stderr)
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
