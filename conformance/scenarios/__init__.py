"""What is sent: one file per scenario, found by walking the package."""

from conformance.scenarios.registry import Ask, Conversation, Scenario, catalogue, get, select

__all__ = ["Ask", "Conversation", "Scenario", "catalogue", "get", "select"]
