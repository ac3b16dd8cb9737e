"""Any number of exchanges, counted: provider × quirk out of captures, and observations for others to read."""
