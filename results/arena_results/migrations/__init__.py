"""Alembic's migrations of the results database; ``arena_results.database`` runs them."""
