"""Endpoints of language models: questions, answers, and the causes of failures."""
