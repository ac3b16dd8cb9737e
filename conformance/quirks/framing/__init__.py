"""The event stream itself: lines, events, encodings, and where it ends."""
