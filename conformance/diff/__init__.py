"""What changed between two nights: their matrices compared, and a view for each reader. Checks are never run again."""
