"""The chunk around the calls: its fields, its choices, its usage, its errors."""
