"""What the request sends back: faults of the client, not of the provider."""
