"""The rules of Sabacc, as they run for every decision."""
