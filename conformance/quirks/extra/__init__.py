"""Fields beyond the reference that a client has to carry."""
