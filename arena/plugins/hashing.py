"""Computes the content hashes of bots: the SHA-256 of their code, read without running it."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from importlib.machinery import ModuleSpec
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from importlib.util import find_spec
from pathlib import Path


def bytes_content(code: bytes) -> str:
    """Hashes a single file: a file bot, or the module that defines a built-in bot."""
    return sha256(code).hexdigest()


def module_file(module: str) -> Path | None:
    """Returns the source file of a module, found without importing it or its packages."""
    top, *rest = module.split(".")
    spec = _top_level(top)
    if spec is None:
        return None
    if not rest:
        return Path(spec.origin) if spec.has_location and spec.origin else None
    for location in spec.submodule_search_locations or ():
        path = Path(location, *rest)
        for file in (path.with_name(path.name + ".py"), path / "__init__.py"):
            if file.is_file():
                return file
    return None


def package_folder(module: str) -> Path | None:
    """Returns the folder of a module's top-level package (or module); nothing is imported."""
    spec = _top_level(module.partition(".")[0])
    if spec is None or spec.origin is None:
        return None
    folder = Path(spec.origin).parent
    return folder if spec.submodule_search_locations is None else folder.parent


def registered_content(kind: str, module: str, of: str) -> str | None:
    """Hashes a built-in bot, its module, or an installed one, its distribution (``of``).

    ``None`` when it has no such module, or the distribution is gone.
    """
    if kind == "installed":
        try:
            return distribution_content(distribution(of), module)
        except PackageNotFoundError:
            return None
    file = module_file(module)
    return bytes_content(file.read_bytes()) if file else None


def distribution_content(distribution: Distribution, module: str) -> str:
    """Hashes an installed distribution: its Python files, in the order of their paths.

    Compiled extensions and data files are not part of it. The top-level package of the bot's module
    counts too, because an editable installation does not list its files.
    """
    files = _package_files(module.partition(".")[0])
    for listed in distribution.files or ():
        # What lies outside (scripts) is rewritten by installers, with a path of the machine.
        if listed.suffix == ".py" and ".." not in listed.parts:
            files[listed.as_posix()] = Path(str(listed.locate()))
    there = {name: path.read_bytes() for name, path in files.items() if path.is_file()}
    return named_content(there)


def named_content(files: Mapping[str, bytes]) -> str:
    """Hashes the contents of files by their names, which count too."""
    digest = sha256()
    for name in sorted(files):
        digest.update(f"{name}\0{len(files[name])}\0".encode() + files[name])
    return digest.hexdigest()


def _package_files(top: str) -> dict[str, Path]:
    spec = _top_level(top)
    if spec is None:
        return {}
    if spec.submodule_search_locations is None:
        return {f"{top}.py": Path(spec.origin)} if spec.has_location and spec.origin else {}
    return {
        f"{top}/{path.relative_to(location).as_posix()}": path
        for location in spec.submodule_search_locations
        for path in Path(location).rglob("*.py")
    }


def _top_level(name: str) -> ModuleSpec | None:
    try:
        return find_spec(name)
    except ValueError:  # it is imported already and hides its specification
        return None
