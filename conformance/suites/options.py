"""The harness's options as pytest knows them."""

from __future__ import annotations

from pathlib import Path

import pytest

from conformance.errors import ConfigError
from conformance.run.options import Options
from conformance.run.retry import RETRIES
from conformance.run.rows import RunMode


def options_of(config: pytest.Config) -> Options:
    """What this pytest run is asked to do.

    Raises:
        ConfigError: it is asked to record and not to record.
    """
    get = config.getoption
    recording = (get("--record-mode", None) or "none") != "none"
    live = get("--conformance-live") or get("--disable-recording", False)
    run_mode: RunMode = "record" if recording else "live" if live or get("--conformance-base-url") else "replay"
    if recording and live:
        raise ConfigError("--record-mode records, --conformance-live and --disable-recording do not; choose one")
    cassettes = get("--conformance-cassettes")
    return Options(
        providers=tuple(get("--provider")),
        scenarios=tuple(get("--conformance-scenario")),
        modes=tuple(get("--conformance-mode")),
        config=Path(get("--conformance-config")),
        cassettes=Path(cassettes) if cassettes is not None else None,
        run_mode=run_mode,
        base_url=get("--conformance-base-url"),
        model=get("--conformance-model"),
        api_key_env=get("--conformance-api-key-env"),
        samples=get("--conformance-samples"),
        strict=get("--conformance-strict"),
        shard=get("--conformance-shard"),
        max_requests=get("--conformance-max-requests"),
        deadline=get("--conformance-deadline"),
        retries=RETRIES if (retries := get("--conformance-retries")) is None else retries,
        timeout=get("--conformance-timeout"),
        max_bytes=get("--conformance-max-bytes"),
        resume=get("--conformance-resume"),
        via=tuple(get("--conformance-via")),
        via_model=get("--conformance-via-model"),
        via_api_key_env=get("--conformance-via-api-key-env"),
    )
