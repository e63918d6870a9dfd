"""Prompts for language models, and the reading of their answers: without I/O."""
