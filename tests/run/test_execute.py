"""One cell: every request gets a line, and a line without an answer says why."""

import json
from collections.abc import Mapping
from typing import Any

import pytest

from conformance.errors import CassetteCorrupt, CassetteMissing, CassetteStale, ConformanceError, NotRun
from conformance.model import End, Exchange
from conformance.run.execute import run_cell
from conformance.run.retry import Sent
from conformance.run.rows import ExchangeRow
from tests.run.examples import cell

CALL = {"id": "call_1", "type": "function", "function": {"name": "get_weather", "arguments": '{"city": "Paris"}'}}


def reply(message: Mapping[str, Any], finish: str = "tool_calls") -> bytes:
    choice = {"index": 0, "message": {"role": "assistant", "content": None, **message}, "finish_reason": finish}
    envelope = {"id": "c", "object": "chat.completion", "created": 1, "model": "m1"}
    return json.dumps({**envelope, "choices": [choice]}).encode()


ANSWER = reply({"tool_calls": [CALL]})
TEXT = reply({"content": "It rains."}, "stop")


class Server:
    """Answers with what it was given, one after the other."""

    def __init__(self, *answers: bytes | ConformanceError, status: int = 200) -> None:
        self.answers = list(answers)
        self.status = status
        self.bodies: list[Mapping[str, Any]] = []

    def __call__(self, body: Mapping[str, Any], headers: Mapping[str, str]) -> Sent:  # noqa: ARG002
        self.bodies.append(body)
        answer = self.answers.pop(0)
        if isinstance(answer, ConformanceError):
            raise answer
        return Sent(
            Exchange("here", answer, self.status, {"content-type": "application/json"}, body, "complete", ended=End())
        )


def rows(server: Server, scenario: str = "single_call", **fields: Any) -> list[ExchangeRow]:
    measured = cell(scenario, "complete", **fields)
    return list(run_cell(measured, server, source="here", evidence="cassettes/acme/x.yaml"))


def test_an_answer_becomes_a_line() -> None:
    (line,) = rows(Server(ANSWER))
    assert line["not_run"] is None
    assert (line["provider"], line["model"], line["scenario"], line["mode"]) == (
        "acme",
        "m1",
        "single_call",
        "complete",
    )
    assert line["calls"] == [{"id": "call_1", "name": "get_weather", "usable": True}]
    assert (line["status"], line["finish_reason"], line["complete"], line["bytes"]) == (
        200,
        "tool_calls",
        True,
        len(ANSWER),
    )
    assert line["evidence"] == {"cassette": "cassettes/acme/x.yaml", "interaction": 0}
    assert "id-missing" in line["applicable"]
    assert not [f for f in line["findings"] if f["level"] == "must"]


def test_a_deviation_is_a_finding_with_its_place() -> None:
    (line,) = rows(Server(reply({"tool_calls": [{**CALL, "id": ""}]})))
    (found,) = [f for f in line["findings"] if f["quirk"] == "id-missing"]
    assert found["expected_by"] is None
    assert found["where"]["pointer"].startswith("/choices/0/message/tool_calls/0")


BIG = "B" * 1_000_000
FIELDS = {f"field_{number}": 1 for number in range(100_000)}


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (reply({"tool_calls": [{**CALL, "id": BIG}]}), "(1000000 characters, SHA-256 "),
        (reply({"tool_calls": [{**CALL, "type": BIG}]}), "(1000000 characters, SHA-256 "),
        (reply({"tool_calls": [{**CALL, "function": {"name": BIG}}]}), "(1000000 characters, SHA-256 "),
        (reply({"tool_calls": [CALL]}, BIG), "(1000000 characters, SHA-256 "),
        (reply({"tool_calls": [CALL], "role": BIG}), "characters, SHA-256 "),
        (reply({"tool_calls": [{**CALL, BIG: 1}]}), "(1000000 characters, SHA-256 "),
        (reply({"tool_calls": [{**CALL, **FIELDS}]}), "99900 more ("),
    ],
    ids=["id", "type", "name", "finish", "role", "field", "fields"],
)
def test_a_line_is_short_whatever_the_server_says(answer: bytes, said: str) -> None:
    (line,) = rows(Server(answer))
    text = json.dumps(line, ensure_ascii=False)
    assert said in text
    assert len(text) < 50_000
    for found in line["findings"]:
        assert max(len(found["message"]), len(found["actual"]), len(found["where"]["pointer"])) <= 2000


def test_a_long_pointer_leads_to_what_holds_its_place() -> None:
    (line,) = rows(Server(reply({"tool_calls": [{**CALL, BIG: 1}]})))
    (found,) = [f for f in line["findings"] if f["quirk"] == "entry-fields-to-return"]
    assert found["where"]["pointer"] == "/choices/0/message/tool_calls/0"


def test_an_expectation_covers_it_where_it_says() -> None:
    expectation = {
        "quirk": "id-*",
        "reason": "seen before",
        "source": {"url": "https://example.org/1", "date": "2026-11-01"},
        "modes": ["complete"],
    }
    server = Server(reply({"tool_calls": [{**CALL, "id": ""}]}))
    (line,) = rows(server, expectations=[expectation])
    assert {f["expected_by"] for f in line["findings"] if f["quirk"] == "id-missing"} == {"seen before"}


def test_a_conversation_has_a_line_per_request() -> None:
    server = Server(ANSWER, TEXT)
    first, second = rows(server, "round_trip")
    assert (first["step"], second["step"]) == (0, 1)
    assert second["evidence"] == {"cassette": "cassettes/acme/x.yaml", "interaction": 1}
    assert server.bodies[1]["messages"][-1]["tool_call_id"] == "call_1"


def test_without_a_call_the_conversation_ends() -> None:
    assert [line["step"] for line in rows(Server(TEXT), "round_trip")] == [0]


def test_the_request_is_fitted_to_the_provider() -> None:
    server = Server(ANSWER)
    rows(server, extra_body={"seed": None})
    assert "seed" not in server.bodies[0]


@pytest.mark.parametrize(
    ("problem", "reason"),
    [
        (NotRun("refused", "connection refused by 127.0.0.1:9", "start it"), "refused"),
        (CassetteMissing("not there"), "cassette-missing"),
        (CassetteStale("another request"), "cassette-stale"),
        (CassetteCorrupt("altered"), "cassette-corrupt"),
    ],
)
def test_steps_that_could_not_be_reached_say_so_too(problem: ConformanceError, reason: str) -> None:
    first, second = rows(Server(problem), "round_trip")
    for line in (first, second):
        assert line["not_run"] is not None
        assert line["not_run"]["reason"] == reason
        assert line["not_run"]["detail"] == str(problem)
        assert line["not_run"]["fix"]
        assert not line["applicable"]


def test_what_came_before_is_kept() -> None:
    first, second = rows(Server(ANSWER, NotRun("timeout", "nothing came")), "round_trip")
    assert first["not_run"] is None
    assert second["not_run"] is not None


@pytest.mark.parametrize("status", [400, 401, 404, 429, 503])
def test_an_http_error_is_no_answer(status: int) -> None:
    body = json.dumps({"error": {"message": "no such model"}}).encode()
    first, second = rows(Server(body, status=status), "round_trip", api_key_env="ACME_API_KEY")
    assert first["not_run"] is not None
    assert first["not_run"]["reason"] == f"http-{status}"
    assert "no such model" in first["not_run"]["detail"]
    assert first["status"] == status
    assert second["not_run"] is not None


def test_a_refused_key_names_its_variable() -> None:
    (line,) = rows(Server(b'{"error": {"message": "bad key"}}', status=401), api_key_env="ACME_API_KEY")
    assert line["not_run"] is not None
    assert "ACME_API_KEY" in line["not_run"]["fix"]


def test_a_rejected_request_that_is_expected_is_an_answer() -> None:
    expectation = {
        "quirk": "request-rejected",
        "reason": "documented",
        "source": {"url": "https://example.org/1", "date": "2026-11-01"},
    }
    (line,) = rows(Server(b'{"error": {"message": "no"}}', status=400), expectations=[expectation])
    assert line["not_run"] is None
    assert [f["expected_by"] for f in line["findings"] if f["quirk"] == "request-rejected"] == ["documented"]


def test_a_server_that_breaks_on_a_request_is_judged() -> None:
    (line,) = rows(Server(b"Internal Server Error", status=500))
    assert line["not_run"] is None
    assert "server-error" in {f["quirk"] for f in line["findings"]}


def refusal(message: str, param: str | None = None) -> bytes:
    return json.dumps({"error": {"message": message, "type": "invalid_request_error", "param": param}}).encode()


def test_a_rejection_that_says_what_it_rejects_is_an_answer() -> None:
    server = Server(refusal("messages[1].content must be a string"), status=400)
    (line,) = rows(server, "history_content_null")
    assert line["not_run"] is None
    assert ("content-null-rejected", "should") in {(f["quirk"], f["level"]) for f in line["findings"]}


@pytest.mark.parametrize(
    ("scenario", "message"),
    [
        ("history_result_missing", "tool_calls must be followed by tool messages responding to each tool_call_id"),
        ("history_arguments_invalid", "messages[1].tool_calls[0].function.arguments is not valid JSON"),
        ("tools_over_limit", "tools: array too long, the maximum length is 128"),
        ("choice_unknown", "tool_choice: get_tide is not in tools"),
    ],
)
def test_a_server_may_reject_what_openai_rejects(scenario: str, message: str) -> None:
    (line,) = rows(Server(refusal(message), status=400), scenario)
    assert line["not_run"] is None
    assert line["applicable"]
    assert {f["level"] for f in line["findings"]} <= {"info"}


def test_a_rejection_for_another_reason_is_no_answer() -> None:
    # some providers refuse a key with 400
    server = Server(refusal("API key not valid. Please pass a valid API key."), status=400)
    (line,) = rows(server, "history_content_null")
    assert line["not_run"] is not None
    assert line["not_run"]["reason"] == "http-400"


def test_the_provider_is_not_told_what_the_scenario_did() -> None:
    (line,) = rows(Server(TEXT), "history_result_missing")
    assert line["not_run"] is None
    assert {f["layer"] for f in line["findings"]} <= {"server", "gateway", "model"}
    assert "result-missing" not in line["applicable"]
