"""Whether the answer gives each result to the call whose id it names."""
