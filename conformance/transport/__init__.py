"""Send requests through the real `openai` client, keep the undecoded bytes, record and replay them.

    from conformance.transport import Endpoint, Store, send, read_cassette

    endpoint = Endpoint("http://127.0.0.1:8080/v1", api_key=None)
    exchange = send(endpoint, body, mode="stream", source="...", provider="llamacpp", model="m",
                    scenario="single_call", store=None, headers={})

`send` returns an `Exchange` whatever the HTTP status is and however the body ended. It raises `NotRun` when there is no
response at all (`refused`, `unreachable`, `blocked`, `timeout`, `no-response`, `not-http`), the request cannot be
encoded (`unsendable`) or a compressed answer repeats a key (`secret`), and with a store in a replaying mode
`CassetteMissing`, `CassetteStale` or `CassetteCorrupt`. Keys and private addresses are redacted in what it returns,
with and without a store. `headers` are for this request alone (`Accept-Encoding` is `identity` unless they say
otherwise).

Without pytest:

    with Store.open("cassettes/llamacpp/single_call.stream.yaml", mode="replay") as store:   # or "record"
        exchange = send(..., store=store)

    `replay` needs no network; leaving the block raises `CassetteStale` if recorded exchanges were not asked for.
    `record` asks the server for everything; the old file is replaced when the block ends, as a whole, and stays if the
    block or a `send` in it fails. vcrpy's own modes (`none`, `once`, `new_episodes`, `all`) keep their meaning.

With pytest-recording (in a plugin or conftest):

    def pytest_recording_configure(config, vcr):      # called for every cassette of the session: only for your own
        cassettes.configure(vcr)

    @pytest.fixture
    def vcr_config(request):                          # matchers, no patching of httpx2, and a `rewrite` that keeps
        return cassettes.vcr_options(request.config.getoption("--record-mode"))  # the old file until the new is there

    @pytest.fixture
    def store(vcr):                                   # None under --disable-recording: plain live
        yield (store := Store(vcr) if vcr is not None else None)
        # after a test that did not fail: store.check_played() raises CassetteStale for what was left unplayed

A cassette that cannot be trusted raises in the first `send`, not in the `vcr` fixture, so that the cell can say
*not run*.

`read_cassette(path) -> list[Exchange]` reads any vcrpy cassette and verifies those of our own (`CassetteCorrupt`).
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from conformance.transport.cassettes import read_cassette
    from conformance.transport.client import send
    from conformance.transport.endpoint import Endpoint
    from conformance.transport.store import Store

__all__ = ["Endpoint", "Store", "read_cassette", "send"]

_HOMES = {
    "Endpoint": "endpoint",
    "Store": "store",
    "read_cassette": "cassettes",
    "send": "client",
}


def __getattr__(name: str) -> Any:
    # Lazily, so that reading a cassette does not wait for the openai client to be imported.
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
