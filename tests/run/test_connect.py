"""A provider that cannot be reached is not waited for again and again."""

import pytest

from conformance.errors import NotRun
from conformance.run.connect import Connections
from conformance.run.rows import NotRunRow
from tests.run.examples import provider


def failure(reason: str) -> NotRunRow:
    return {"reason": reason, "detail": "why", "fix": "how"}


def given_up(connections: Connections, model: str = "m1") -> bool:
    try:
        connections.endpoint(provider(), live=True, model=model)
    except NotRun as problem:
        return (problem.detail, problem.fix) == ("why", "how")
    return False


@pytest.mark.parametrize("reason", ["refused", "unreachable", "http-401", "http-403"])
def test_one_refusal_is_enough(reason: str) -> None:
    connections = Connections()
    assert not given_up(connections)
    connections.learn(provider(), failure(reason), model="m1")
    assert given_up(connections)


def test_others_are_still_asked() -> None:
    connections = Connections()
    connections.learn(provider(), failure("refused"))
    assert connections.endpoint(provider("beta"), live=True).base_url == "http://127.0.0.1:9/v1"


def test_three_timeouts_in_a_row_are() -> None:
    connections = Connections()
    for expected in (False, False, True):
        connections.learn(provider(), failure("timeout"))
        assert given_up(connections) is expected


def test_an_answer_in_between_gives_new_patience() -> None:
    connections = Connections()
    for result in (failure("timeout"), failure("timeout"), None, failure("timeout"), failure("timeout")):
        connections.learn(provider(), result)
    assert not given_up(connections)


def test_a_busy_server_is_asked_again_for_a_while() -> None:
    # each failure here is one that further attempts, with waits of up to half a minute, did not help
    connections = Connections()
    for _ in range(2):
        connections.learn(provider(), failure("http-429"))
    assert not given_up(connections)
    connections.learn(provider(), failure("http-429"))
    assert given_up(connections)


def test_an_address_with_nothing_behind_it_is_given_up() -> None:
    connections = Connections()
    for expected in (False, False, True):
        connections.learn(provider(), failure("http-404"), model="m1")
        assert given_up(connections) is expected


@pytest.mark.parametrize("reason", ["http-403", "http-404"])
def test_another_model_may_be_there(reason: str) -> None:
    connections = Connections()
    for _ in range(3):
        connections.learn(provider(), failure(reason), model="m1")
    assert given_up(connections)
    assert not given_up(connections, "m2")


def test_a_replay_needs_no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ACME_API_KEY", raising=False)
    keyed = provider(api_key_env="ACME_API_KEY")
    assert Connections().endpoint(keyed, live=False).api_key is None
    with pytest.raises(NotRun, match="ACME_API_KEY is not set"):
        Connections().endpoint(keyed, live=True)


def test_what_variables_put_into_an_address_is_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ACME_HOST", "private.example")
    moved = provider(base_url="https://${ACME_HOST}/v1")
    endpoint = Connections().endpoint(moved, live=True)
    assert endpoint.base_url == "https://private.example/v1"
    assert endpoint.public_url == "https://acme-host/v1"
    assert endpoint.secrets == ("private.example",)
