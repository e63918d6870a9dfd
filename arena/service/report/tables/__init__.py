"""Arranges a report as standings, grids, podiums and documents."""
