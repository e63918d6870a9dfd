"""The languages in which ``arena new bot`` writes a bot, a row each."""

from __future__ import annotations

import msgspec


class Language(msgspec.Struct, frozen=True, kw_only=True):
    """A language, and how a bot in it is built and started.

    Attributes:
        name: As people type it.
        called: As people write it.
        file: The file with the bot.
        command: The command that starts it.
        build: The command that builds it; empty if it needs none.
    """

    name: str
    called: str
    file: str
    command: tuple[str, ...] = ("./bot",)
    build: tuple[str, ...] = ()


LANGUAGES = (
    Language(name="javascript", called="JavaScript", file="bot.js", command=("node", "bot.js")),
    Language(
        name="java",
        called="Java",
        file="Bot.java",
        command=("java", "-Xmx256m", "-XX:+UseSerialGC", "Bot"),
        build=("javac", "-J-Xmx256m", "Bot.java"),
    ),
    Language(
        name="c", called="C", file="bot.c", build=("cc", "-O2", "-Wall", "-o", "bot", "bot.c")
    ),
    Language(
        name="cpp",
        called="C++",
        file="bot.cpp",
        build=("c++", "-O2", "-Wall", "-pthread", "-o", "bot", "bot.cpp"),
    ),
    Language(
        name="rust",
        called="Rust",
        file="bot.rs",
        build=("rustc", "--edition", "2021", "-O", "-C", "strip=symbols", "-o", "bot", "bot.rs"),
    ),
    Language(name="go", called="Go", file="bot.go", build=("go", "build", "-o", "bot", "bot.go")),
)
"""All but Python: a bot in Python is a class."""
PYTHON = "python"
CHOICES = (PYTHON, *(each.name for each in LANGUAGES))
"""The names of all languages."""
