"""The argument text, in its pieces and as a whole."""
