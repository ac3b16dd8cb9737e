"""The name of the called function."""
