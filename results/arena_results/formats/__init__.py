"""Writes lists as documents: CSV, JSON, Parquet."""
