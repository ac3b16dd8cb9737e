"""From the bytes of a response to the facts about it. Nothing here knows a provider, a file or the network."""
