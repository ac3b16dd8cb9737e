"""Accumulators as the reference documents describe them, written anew in Python. Standard library only."""
