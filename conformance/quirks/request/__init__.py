"""What the server makes of the request: rejected, accepted though it is wrong, or not obeyed."""
