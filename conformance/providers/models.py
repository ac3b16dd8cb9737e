"""`providers.yaml` as types: what a provider is, where the facts come from, and which quirks are expected of it.

The classes say what is right; `load` turns what is wrong into sentences with line numbers. Rules across fields sit in
the validator of the later field, so that one pass finds every mistake.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from datetime import date
from fnmatch import fnmatchcase
from typing import Annotated, Any, Final, Literal

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PlainValidator,
    Strict,
    StringConstraints,
    ValidationInfo,
    WithJsonSchema,
    field_validator,
)

from conformance.model import Mode
from conformance.providers import checks, secrets, urls, variables


def _as_model(value: object) -> object:
    return {"name": value} if isinstance(value, str) else value


Text = Annotated[str, Strict(), StringConstraints(min_length=1)]
Flag = Annotated[bool, Strict()]
Day = Annotated[date, BeforeValidator(checks.day), WithJsonSchema({"type": "string", "format": "date"})]
Verified = Annotated[
    date | Literal["never"],
    PlainValidator(checks.verified),
    WithJsonSchema({"anyOf": [{"const": "never"}, {"type": "string", "format": "date"}]}),
]
ProviderName = Annotated[str, Strict(), StringConstraints(pattern=checks.NAME)]
Variable = Annotated[str, Strict(), StringConstraints(pattern=checks.VARIABLE)]


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Source(_Frozen):
    """Where a fact comes from, and when it was read there.

    Attributes:
        url: public page.
        document: one of the reference documents, with its section; given instead of `url`.
        date: day it was read or reported (ISO 8601).
    """

    url: Text | None = None
    document: Annotated[Text | None, Field(validate_default=True)] = None
    date: Day

    @field_validator("url")
    @classmethod
    def _link(cls, value: str | None) -> str | None:
        if value is not None and not re.match(r"https?://[^\s/]+", value):
            raise ValueError("must be a link that begins with http:// or https://")
        return value

    @field_validator("document")
    @classmethod
    def _one_of_both(cls, value: str | None, info: ValidationInfo) -> str | None:
        if "url" in info.data and (value is None) == (info.data["url"] is None):
            raise checks.Whole("must have either 'url' or 'document'")
        return value

    def __str__(self) -> str:
        return f"{self.url or self.document} ({self.date.isoformat()})"


class Features(_Frozen):
    """What a provider says it can do. Not declared means unknown, and unknown is tried.

    A feature declared false keeps scenarios that need it from being sent: they are *not applicable* there.

    Attributes:
        stream: answers as server-sent events.
        stream_usage: `stream_options: {include_usage: true}`.
        parallel: several calls in one answer.
        required: `tool_choice: "required"`.
        named: `tool_choice` naming one function.
        none: `tool_choice: "none"`.
        seed: `seed`.
        strict: `strict: true` in a tool's definition.
    """

    stream: Flag | None = None
    stream_usage: Flag | None = None
    parallel: Flag | None = None
    required: Flag | None = None
    named: Flag | None = None
    none: Flag | None = None
    seed: Flag | None = None
    strict: Flag | None = None


MIN_APPLICABLE: Final = 3
"""Applicable exchanges that disprove an expectation, unless it says otherwise."""

FEATURES: Final[tuple[str, ...]] = tuple(Features.model_fields)


class Model(_Frozen):
    """One model of a provider; in the file a name alone does as well.

    Attributes:
        name: as sent in the request.
        features: override the provider's, one by one.
        extra_body: merged over the provider's.
    """

    name: Text
    features: Features = Features()
    extra_body: Mapping[str, Any] = {}

    _body = field_validator("extra_body")(checks.body)


class Expectation(_Frozen):
    """A quirk that the provider is known to have: found is green, disproved is red (DESIGN §4.7).

    Attributes:
        quirk: slug, or a pattern with `*` and `?`.
        reason: why it is expected, one sentence.
        source: where it was seen.
        modes, scenarios: where it is expected; empty means everywhere. Scenario names may be patterns.
        models: pattern for model names; None means all.
        min_applicable: how many applicable exchanges without it disprove it.
        until: last day on which it is expected; exchanges recorded later are judged without it.
        rate: the largest share of applicable exchanges that may show it; None means all may.
    """

    quirk: Annotated[str, Strict(), StringConstraints(pattern=r"^[a-z0-9*?-]+$")]
    reason: Text
    source: Source
    modes: tuple[Mode, ...] = ()
    scenarios: tuple[Text, ...] = ()
    models: Text | None = None
    min_applicable: Annotated[int, Strict(), Field(ge=1)] = MIN_APPLICABLE
    until: Day | None = None
    rate: Annotated[float, Strict(), Field(gt=0, le=1)] | None = None

    @field_validator("quirk")
    @classmethod
    def _known_quirk(cls, value: str, info: ValidationInfo) -> str:
        if not value.strip("*?"):
            raise ValueError("would expect every quirk there is; name one, or a pattern with a word in it: id-*")
        known = (info.context or {}).get("quirks")
        if known is not None and not any(fnmatchcase(slug, value) for slug in known):
            raise ValueError(checks.unknown("quirk", value, known))
        return value

    @field_validator("scenarios")
    @classmethod
    def _known_scenarios(cls, value: tuple[str, ...], info: ValidationInfo) -> tuple[str, ...]:
        known = (info.context or {}).get("scenarios")
        if known is not None:
            checks.raise_all(
                ((i,), checks.unknown("scenario", pattern, known))
                for i, pattern in enumerate(value)
                if not any(fnmatchcase(name, pattern) for name in known)
            )
        return value


class Provider(_Frozen):
    """An endpoint with one or more models.

    Attributes:
        name: its key in the file; also its folder under `cassettes/`.
        base_url: up to but not including `/chat/completions`; may hold `${NAME}` and `${NAME:-default}`.
        models: at least one.
        default_model: the one to use when nobody names a model; the first if not given.
        api_key_env: name of the variable that holds the key; None = the endpoint wants no key.
        key_header: header that carries the key as it is; None = `Authorization: Bearer`.
        headers, query: sent with every request; values may hold `${NAME}`.
        extra_body: merged into every request; null takes a field out.
        rename: request field → the name this provider knows it by (`max_tokens: max_completion_tokens`).
        features: what it declares.
        timeout: seconds without a byte before an exchange is given up.
        total_timeout: seconds for a whole exchange, at least `timeout`; None = 120.
        max_bytes: of an answer; what came before is kept. None = 8 MiB.
        source: where these facts come from.
        verified: day of the last real run that used them, or `never`.
        expectations: quirks it is known to have.
    """

    name: ProviderName
    base_url: Text
    models: Annotated[tuple[Annotated[Model, BeforeValidator(_as_model)], ...], Field(min_length=1)]
    default_model: Text | None = None
    api_key_env: Variable | None = None
    key_header: Text | None = None
    headers: Mapping[str, Text] = {}
    query: Mapping[str, Text] = {}
    extra_body: Mapping[str, Any] = {}
    rename: Mapping[str, Text] = {}
    features: Features = Features()
    timeout: Annotated[float, Strict(), Field(gt=0, le=3600)] = 60.0
    total_timeout: Annotated[float, Strict(), Field(gt=0, le=36_000)] | None = None
    max_bytes: Annotated[int, Strict(), Field(ge=1, le=1 << 30)] | None = None
    source: tuple[Source, ...] = ()
    verified: Verified = "never"
    expectations: tuple[Expectation, ...] = ()

    _body = field_validator("extra_body")(checks.body)
    _rename = field_validator("rename")(checks.rename)

    @field_validator("name")
    @classmethod
    def _free(cls, value: str) -> str:
        if value == "all":
            raise checks.Whole("'all' means every provider on the command line; choose another name")
        return value

    @field_validator("api_key_env")
    @classmethod
    def _no_key(cls, value: str | None) -> str | None:
        if value is not None and (secrets.is_issued(value) or ("_" not in value and secrets.is_random(value))):
            raise ValueError(checks.NOT_A_NAME)
        return value

    @field_validator("base_url")
    @classmethod
    def _address(cls, value: str) -> str:
        if secrets.is_issued(value):
            raise ValueError(checks.PASTED)
        if wrong := urls.template_problem(value):
            raise ValueError(wrong)
        return value

    @field_validator("models")
    @classmethod
    def _distinct(cls, value: tuple[Model, ...]) -> tuple[Model, ...]:
        if twice := sorted(name for name, n in Counter(model.name for model in value).items() if n > 1):
            raise ValueError(f"names {', '.join(map(repr, twice))} more than once")
        return value

    @field_validator("default_model")
    @classmethod
    def _listed(cls, value: str | None, info: ValidationInfo) -> str | None:
        known = [model.name for model in info.data.get("models", ())]
        if value is not None and known and value not in known:
            raise ValueError(checks.unknown("model", value, known))
        return value

    @field_validator("key_header")
    @classmethod
    def _header(cls, value: str | None, info: ValidationInfo) -> str | None:
        if value is not None and not checks.header_name(value):
            raise ValueError("must be the name of a header, like api-key")
        if value is not None and "api_key_env" in info.data and info.data["api_key_env"] is None:
            raise ValueError("needs 'api_key_env', the variable whose value it carries")
        return value

    @field_validator("headers")
    @classmethod
    def _headers(cls, value: Mapping[str, str], info: ValidationInfo) -> Mapping[str, str]:
        own = info.data.get("key_header") or "Authorization"
        checks.raise_all(checks.headers(value, own if info.data.get("api_key_env") else None))
        return value

    @field_validator("query")
    @classmethod
    def _query(cls, value: Mapping[str, str]) -> Mapping[str, str]:
        checks.raise_all(((name,), text) for name, given in value.items() if (text := checks.pasted(name, given)))
        return value

    @field_validator("expectations")
    @classmethod
    def _reachable(cls, value: tuple[Expectation, ...], info: ValidationInfo) -> tuple[Expectation, ...]:
        known = [model.name for model in info.data.get("models", ())]
        parts: list[tuple[checks.Place, str]] = []
        seen: set[tuple[object, ...]] = set()
        for i, one in enumerate(value):
            if one.models and known and not any(fnmatchcase(name, one.models) for name in known):
                parts.append(((i, "models"), checks.unknown("model", one.models, known)))
            if _scope(one) in seen:
                parts.append(
                    ((i, "quirk"), f"{one.quirk!r} is expected twice for the same modes, scenarios and models")
                )
            seen.add(_scope(one))
        checks.raise_all(parts)
        return value

    @property
    def local(self) -> bool:
        """Whether the address it has without any variable is on this machine."""
        return urls.is_loopback(variables.expand(self.base_url, {})[0])

    @property
    def default(self) -> Model:
        """The model to use when nobody names one."""
        return next((model for model in self.models if model.name == self.default_model), self.models[0])

    def model_named(self, name: str) -> Model:
        """The model of this name.

        Raises:
            KeyError: there is none.
        """
        for model in self.models:
            if model.name == name:
                return model
        raise KeyError(name)

    def offers(self, feature: str, model: str | None = None) -> bool:
        """Whether a scenario that needs this feature is worth sending: declared true, or not declared.

        Args:
            feature: one of `FEATURES`.
            model: whose own declaration counts first; None = the default model.

        Raises:
            KeyError: no such model.
            AttributeError: no such feature.
        """
        chosen = self.default if model is None else self.model_named(model)
        own: bool | None = getattr(chosen.features, feature)
        declared: bool | None = getattr(self.features, feature)
        return (declared if own is None else own) is not False


class ProvidersFile(_Frozen):
    """The whole file; providers in the order in which they stand there."""

    providers: Annotated[Mapping[ProviderName, Provider], Field(min_length=1)]

    @field_validator("providers", mode="before")
    @classmethod
    def _named(cls, value: object) -> object:
        """The key is the name; it is not repeated inside."""
        if not isinstance(value, Mapping):
            return value
        return {key: {**entry, "name": key} if isinstance(entry, Mapping) else entry for key, entry in value.items()}


def _scope(one: Expectation) -> tuple[object, ...]:
    return (one.quirk, frozenset(one.modes), frozenset(one.scenarios), one.models)
