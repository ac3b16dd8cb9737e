"""The few expressions that the workflows here use, evaluated. What is not known is an error, not an empty text."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any, Final

_TOKEN: Final = re.compile(r"\s*(?:('[^']*')|(&&|\|\||==|!=|!|\(|\))|([A-Za-z_][\w.-]*))")
_OPERATORS: Final = {"&&": " and ", "||": " or ", "!": " not "}
_STATUS: Final = re.compile(r"\b(always|cancelled|success|failure)\(\)")


def evaluate(expression: str, value_of: Callable[[str], Any]) -> Any:
    """The value of what stands between `${{` and `}}`.

    Args:
        expression: names, texts, comparisons, `&&`, `||`, `!`, `fromJSON()`, `always()` and `cancelled()`.
        value_of: the value of a name such as `steps.key.outputs.ask`.

    Raises:
        ValueError: something else stands in it.
    """
    python, place = "", 0
    expression = expression.strip()
    while place < len(expression):
        token = _TOKEN.match(expression, place)
        if token is None:
            raise ValueError(f"not understood: {expression[place:]!r}")
        text, operator, name = token.groups()
        place = token.end()
        if name is not None:
            python += name if expression.startswith("(", place) else f"value_of({name!r})"
        else:
            python += text or _OPERATORS.get(operator, operator)
    known = {"value_of": value_of, "fromJSON": json.loads, "always": lambda: True, "cancelled": lambda: False}
    return eval(python, {"__builtins__": {}}, known)


def holds(condition: str | None, successful: bool, value_of: Callable[[str], Any]) -> bool:
    """Whether a step or a job is run: without a status function only where everything before it was successful."""
    bare = (condition or "").removeprefix("${{").removesuffix("}}")
    if not _STATUS.search(bare) and not successful:
        return False
    return bool(evaluate(bare, value_of)) if bare else True
