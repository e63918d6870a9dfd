"""Plays tournaments on the workers of a Dask cluster: ``--executor "dask(address=...)"``."""
