"""Endpoints of language models: questions, answers, and who is to blame for a failure."""
