"""Alembic's migrations of the results database; ``arena_results.file.database`` runs them."""
