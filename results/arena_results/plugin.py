"""Our own rating systems and exporters, registered like those of any extension."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from arena.core.export import Exporter
    from arena.core.tournaments.rating import RatingSystem


def arena_rating_systems() -> Iterable[RatingSystem]:
    """Registers the joint fit, which is the default, and systems that go match by match."""
    from arena_results.ratings.systems.systems import own_systems

    return own_systems()


def arena_exporters() -> Iterable[Exporter]:
    """Registers JSON, CSV, JSON lines and Parquet."""
    from arena_results.formats.exports import CsvExporter, JsonExporter, JsonLinesExporter
    from arena_results.formats.parquet import ParquetExporter

    return [JsonExporter(), CsvExporter(), JsonLinesExporter(), ParquetExporter()]
