"""How an answer says that it is over."""
