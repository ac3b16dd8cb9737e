"""OpenTelemetry GenAI telemetry as JSON: OTLP/JSON (file exporters) and what the SDKs' console exporters print.

Known are the messages of the semantic conventions (`gen_ai.output.messages`), their older events (`gen_ai.choice`), and
the numbered attributes of Traceloop's instrumentation (`gen_ai.completion.0.…`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Final

from conformance.errors import InputError
from conformance.importers import assembled, otel_answer
from conformance.importers.common import asked_mode, mapping, moment, text_of
from conformance.model import End, Exchange

_CHATS: Final = frozenset(("chat", ""))
_SCOPES: Final = (
    ("resourceSpans", ("scopeSpans", "instrumentationLibrarySpans"), "spans"),
    ("resourceLogs", ("scopeLogs", "instrumentationLibraryLogs"), "logRecords"),
)
_ERROR_CODE: Final = 2


@dataclass(slots=True)
class _Span:
    """What a span and the log records of it say together.

    Attributes:
        attributes: of the span, its events and its log records.
        choices: bodies of its `gen_ai.choice` events.
        began: when, ISO 8601.
        failed: why it ended with an error, "" if it did not.
    """

    attributes: dict[str, Any] = field(default_factory=dict)
    choices: list[Mapping[str, Any]] = field(default_factory=list)
    began: str | None = None
    failed: str = ""


def is_record(document: Any) -> bool:
    """Whether a decoded JSON value is telemetry: OTLP/JSON, or a span or log record of a console exporter."""
    if not isinstance(document, Mapping):
        return False
    if any(isinstance(document.get(key), list) for key, _, _ in _SCOPES):
        return True
    spanned = "trace_id" in mapping(document.get("context")) or "trace_id" in document
    return spanned and isinstance(document.get("attributes"), Mapping)


def exchanges(documents: Sequence[Any], name: str) -> Iterator[Exchange]:
    """The chat-completion exchanges in telemetry, one for each span with an answer, numbered by span.

    The history of a request is not taken over: instrumentations write it in a form of their own.

    Raises:
        InputError: there are none, most often because the content was not captured.
    """
    spans = _spans(documents)
    found = False
    for position, span in enumerate(spans):
        exchange = _exchange(span, f"{name}#{position}")
        if exchange is not None:
            found = True
            yield exchange
    if not found:
        about = any(key.startswith("gen_ai.") for span in spans for key in span.attributes)
        raise InputError(
            f"{name}: GenAI spans without answers; record with the content captured"
            " (OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT)"
            if about
            else f"{name}: telemetry, but no span of it is about GenAI; give the spans of chat completions"
        )


def _exchange(span: _Span, where: str) -> Exchange | None:
    attributes = span.attributes
    if text_of(attributes.get("gen_ai.operation.name")) not in _CHATS:
        return None
    answer = otel_answer.answer(attributes, span.choices)
    if answer is None:
        return None
    claimed = text_of(attributes.get("gen_ai.provider.name")) or text_of(attributes.get("gen_ai.system"))
    address = text_of(attributes.get("gen_ai.openai.api_base")) or text_of(attributes.get("server.address"))
    request = otel_answer.request(attributes)
    return assembled.exchange(
        where,
        answer,
        request,
        asked_mode(request) if "stream" in request else None,
        provider=assembled.provider_of(claimed, address),
        model=text_of(request.get("model")),
        ended=_ended(span, answer),
        recorded_at=span.began,
    )


def _ended(span: _Span, answer: Mapping[str, Any]) -> End:
    """Whether the client that was instrumented came to the end of the answer."""
    failed = any(choice["finish_reason"] == otel_answer.FAILED for choice in answer["choices"])
    if span.failed or failed:
        return End("client-closed", span.failed or "the client failed while it read the answer")
    return End()


def _spans(documents: Sequence[Any]) -> list[_Span]:
    """Spans in the order of their first mention; one that has no id stands alone."""
    spans: dict[object, _Span] = {}
    for item in _items(documents):
        context = mapping(item.get("context"))
        trace = context.get("trace_id", item.get("trace_id", item.get("traceId")))
        own = context.get("span_id", item.get("span_id", item.get("spanId")))
        key = (str(trace).removeprefix("0x"), str(own).removeprefix("0x")) if own else object()
        _add(spans.setdefault(key, _Span()), item)
    return list(spans.values())


def _items(documents: Sequence[Any]) -> Iterator[Mapping[str, Any]]:
    """The spans and log records."""
    for document in documents:
        if not is_record(document):
            continue
        scoped = False
        for resources, scopes, items in _SCOPES:
            for resource in _objects(document.get(resources)):
                scoped = True
                for key in scopes:
                    for scope in _objects(resource.get(key)):
                        yield from _objects(scope.get(items))
        if not scoped:
            yield document


def _add(span: _Span, item: Mapping[str, Any]) -> None:
    attributes = _plain(item.get("attributes"))
    span.attributes |= attributes
    span.began = span.began or _began(item)
    status = mapping(item.get("status"))
    if status.get("status_code") == "ERROR" or status.get("code") in (_ERROR_CODE, "STATUS_CODE_ERROR"):
        said = text_of(status.get("description")) or text_of(status.get("message"))
        span.failed = f"the client failed: {said or 'no reason given'}"
    event = text_of(item.get("eventName")) or text_of(item.get("event_name")) or text_of(attributes.get("event.name"))
    if event == "gen_ai.choice":
        span.choices.append(mapping(_value(item.get("body"))))
    for inner in _objects(item.get("events")):
        fields = _plain(inner.get("attributes"))
        if inner.get("name") == "gen_ai.choice":
            span.choices.append(fields)
        elif text_of(inner.get("name")).startswith("gen_ai."):
            span.attributes |= fields


def _began(item: Mapping[str, Any]) -> str | None:
    nanoseconds = item.get("startTimeUnixNano", item.get("timeUnixNano"))
    if text_of(nanoseconds).isdecimal() and len(text_of(nanoseconds)) < 20:
        return datetime.fromtimestamp(int(nanoseconds) / 1e9, UTC).isoformat()
    return moment(item.get("start_time", item.get("timestamp")))


def _plain(attributes: Any) -> dict[str, Any]:
    """Attributes of the SDKs (an object) and of OTLP (a list of keys and typed values)."""
    if isinstance(attributes, Mapping):
        return dict(attributes)
    return {text_of(one.get("key")): _value(one.get("value")) for one in _objects(attributes)}


def _value(value: Any) -> Any:
    """A typed value of OTLP as a plain one; anything else as it is."""
    if not isinstance(value, Mapping) or len(value) != 1:
        return value
    ((kind, held),) = value.items()
    match kind:
        case "stringValue" | "boolValue" | "doubleValue" | "bytesValue":
            return held
        case "intValue":
            return int(held) if text_of(held).lstrip("-").isdecimal() and len(text_of(held)) < 20 else held
        case "arrayValue":
            values = mapping(held).get("values")
            return [_value(one) for one in values] if isinstance(values, list) else []
        case "kvlistValue":
            return _plain(mapping(held).get("values"))
        case _:
            return value


def _objects(value: Any) -> Iterator[Mapping[str, Any]]:
    return (one for one in value if isinstance(one, Mapping)) if isinstance(value, list) else iter(())
