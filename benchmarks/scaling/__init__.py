"""Measures one size of one part of ``benchmarks.scale``, each in a process of its own."""
