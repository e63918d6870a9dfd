"""Alembic's migrations of the results database; ``results.database`` runs them."""
