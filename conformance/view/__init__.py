"""What `inspect` shows a person: the facts (`timeline`, `folding`, `difference`), and their rendering with rich."""
