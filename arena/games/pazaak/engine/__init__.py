"""The rules of Pazaak, as they run for every decision."""
