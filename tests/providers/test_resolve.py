"""Variables: where they may stand, when they are looked up, and what is said when one is missing or unfit."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conformance.errors import ConfigError, NotRun
from conformance.providers import variables
from conformance.providers.resolve import resolve
from tests.providers.examples import provider

SECRET = "not-a-real-key-0123456789"


def test_everything_is_replaced() -> None:
    one = provider(
        base_url="https://${ACME_RESOURCE}.acme.test/${ACME_STAGE:-v1}",
        api_key_env="ACME_KEY",
        key_header="api-key",
        headers={"X-Tenant": "t-${ACME_TENANT}"},
        query={"api-version": "${ACME_VERSION:-2024-10-21}"},
        timeout=5,
    )
    environ = {"ACME_RESOURCE": "blue", "ACME_KEY": SECRET, "ACME_TENANT": "7", "ACME_VERSION": ""}
    address = resolve(one, environ)
    assert address.base_url == "https://blue.acme.test/v1"
    assert address.headers == {"X-Tenant": "t-7"}
    assert address.query == {"api-version": "2024-10-21"}
    assert (address.api_key, address.key_header, address.timeout) == (SECRET, "api-key", 5)
    assert SECRET not in repr(address)


def test_a_provider_without_a_key_needs_no_variable() -> None:
    assert resolve(provider(), {}).api_key is None


def test_the_environment_of_the_process_is_the_default(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ACME_KEY", SECRET)
    assert resolve(provider(api_key_env="ACME_KEY")).api_key == SECRET


@pytest.mark.parametrize("environ", [{}, {"ACME_KEY": ""}])
def test_a_missing_key_is_not_run_and_says_which_variable(environ: dict[str, str]) -> None:
    with pytest.raises(NotRun) as caught:
        resolve(provider(api_key_env="ACME_KEY"), environ)
    assert caught.value.reason == "no-key"
    assert str(caught.value) == "ACME_KEY is not set; acme takes the key from it"
    assert caught.value.fix == "export ACME_KEY=…"


@pytest.mark.parametrize(
    "fields",
    [
        {"base_url": "https://${ACME_RESOURCE}.test/v1"},
        {"base_url": "${ACME_RESOURCE}"},
        {"headers": {"X-A": "${ACME_RESOURCE}"}},
        {"query": {"a": "${ACME_RESOURCE}"}},
    ],
)
def test_a_missing_part_of_the_address_is_not_run(fields: dict[str, Any]) -> None:
    with pytest.raises(NotRun, match=r"^ACME_RESOURCE is not set; acme takes a part of the address") as caught:
        resolve(provider(**fields), {})
    assert caught.value.reason == "no-address"


def test_a_replay_looks_up_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ACME_RESOURCE", "elsewhere")
    monkeypatch.setenv("ACME_KEY", SECRET)
    one = provider(base_url="https://${ACME_RESOURCE}.test/v1", api_key_env="ACME_KEY")
    address = resolve(one, live=False)
    assert address.base_url == "https://acme-resource.test/v1"
    assert address.api_key is None


@pytest.mark.parametrize(
    ("environ", "message"),
    [
        ({"ACME_URL": "acme.test"}, "must begin with http:// or https:// (it comes from ACME_URL)"),
        ({"ACME_URL": f"https://u:{SECRET}@acme.test"}, "holds a user name or a password"),
        ({"ACME_URL": f"https://acme.test?key={SECRET}"}, "holds a query"),
        (
            {"ACME_URL": "https://acme.test", "ACME_TENANT": f"{SECRET}\n"},
            "header X-Tenant cannot carry what ACME_TENANT",
        ),
        ({"ACME_URL": "https://acme.test", "ACME_KEY": f"{SECRET}\n"}, "ACME_KEY holds white space"),
        ({"ACME_URL": "https://acme.test", "ACME_KEY": f"{SECRET}é"}, "ACME_KEY holds white space or a character"),
    ],
)
def test_unfit_values_are_named_but_not_repeated(environ: dict[str, str], message: str) -> None:
    one = provider(base_url="${ACME_URL}", api_key_env="ACME_KEY", headers={"X-Tenant": "${ACME_TENANT:-none}"})
    with pytest.raises(ConfigError) as caught:
        resolve(one, {"ACME_KEY": SECRET, **environ})
    assert message in str(caught.value)
    assert SECRET not in str(caught.value)


@pytest.mark.parametrize(
    ("base_url", "local"),
    [
        ("http://127.0.0.1:1/v1", True),
        ("http://127.9.9.9/v1", True),
        ("http://[::1]:1/v1", True),
        ("http://LOCALHOST/v1", True),
        ("${ACME_URL:-http://localhost:1}/v1", True),
        ("${ACME_URL}", False),
        ("https://localhost.acme.test/v1", False),
        ("http://10.0.0.1/v1", False),
    ],
)
def test_what_is_on_this_machine(base_url: str, local: bool) -> None:
    assert provider(base_url=base_url).local == local


def test_forms_of_a_reference() -> None:
    environ = {"A": "x", "B_2": "y"}
    assert variables.expand("${A}-${B_2}-${A}", environ) == ("x-y-x", ())
    assert variables.expand("${C:-}", environ) == ("", ())
    assert variables.expand("${C:-http://h:1/v1}", environ) == ("http://h:1/v1", ())
    assert variables.expand("${C_D}/${C_D}/${E}", environ) == ("c-d/c-d/e", ("C_D", "E"))
    assert variables.expand("$A costs $5", environ) == ("$A costs $5", ())
    assert variables.names("${A}${B_2:-x}${A}") == ("A", "B_2")
    assert variables.starts_open("${A}/v1")
    assert not variables.starts_open("${A:-http://h}/v1")
    assert not variables.starts_open("http://${A}")


@pytest.mark.parametrize("text", ["${}", "${a}", "${A", "${A:=x}", "${A:-${B}}", "${A-x}", "${1A}", "x${ A }"])
def test_other_forms_are_refused(text: str) -> None:
    assert variables.problem(text) is not None


@given(st.text("${}:-AB ", max_size=12), st.dictionaries(st.sampled_from("AB"), st.text(max_size=3)))
def test_a_text_without_problem_holds_no_reference_after_it_was_expanded(text: str, environ: dict[str, str]) -> None:
    value, missing = variables.expand(text, {name: value for name, value in environ.items() if "$" not in value})
    if variables.problem(text) is None:
        assert "${" not in value
    assert set(missing) <= set(variables.names(text))
