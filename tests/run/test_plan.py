"""Which cells a run has, what they are called, and where their cassettes are."""

from pathlib import Path

import pytest

from conformance.errors import ConfigError, SelectionError
from conformance.providers.models import ProvidersFile
from conformance.run.plan import make_plan, select_providers
from conformance.scenarios import catalogue, get
from tests.run.examples import cell, plan, provider


@pytest.fixture
def known() -> ProvidersFile:
    return ProvidersFile.model_validate(
        {"providers": {n: {"base_url": "http://x/v1", "models": ["m"]} for n in ("zeta", "acme", "beta")}}
    )


def test_every_scenario_in_every_mode_it_has_and_no_other(tmp_path: Path) -> None:
    made = plan(tmp_path)
    assert len(made.cells) == sum(len(s.modes) for s in catalogue())
    assert ("usage_in_stream", "complete") not in {(c.scenario.name, c.mode) for c in made.cells}


def test_ids_are_sorted_unique_and_the_same_every_time(tmp_path: Path) -> None:
    both = plan(tmp_path, provider("zeta"), provider("acme"))
    ids = [c.id for c in both.cells]
    assert ids == sorted(set(ids))
    assert "acme-parallel_calls-stream" in ids
    assert ids == [c.id for c in plan(tmp_path, provider("zeta"), provider("acme")).cells]


def test_rows_keep_the_order_of_the_file(tmp_path: Path) -> None:
    assert [p.name for p in plan(tmp_path, provider("zeta"), provider("acme")).providers] == ["zeta", "acme"]


def test_another_model_has_its_own_cells_and_cassettes(tmp_path: Path) -> None:
    odd = provider(models=["m1", "org/model:free"])
    (made,) = plan(tmp_path, odd, model="org/model:free", scenarios=[get("single_call")], modes=["stream"]).cells
    assert made.id == "acme-org_model_free-single_call-stream"
    assert plan(tmp_path).cassette(made) == tmp_path / "acme" / "org_model_free" / "single_call.stream.yaml"


def test_the_default_model_lives_in_the_providers_folder(tmp_path: Path) -> None:
    made = plan(tmp_path / "cassettes")
    assert made.cassette(cell()) == tmp_path / "cassettes" / "acme" / "single_call.stream.yaml"
    assert made.evidence(cell()) == "cassettes/acme/single_call.stream.yaml"


def test_an_unknown_model(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="acme: no model is called 'm3'"):
        plan(tmp_path, model="m3")


def test_what_a_provider_declares_not_to_support_is_left_out(tmp_path: Path) -> None:
    made = plan(tmp_path, provider(features={"parallel": False}))
    links = ("link_empty_ids", "link_order", "link_unknown_id")
    assert made.left_out == {"acme": (*links, "option_one_call", "parallel_calls", "parallel_round_trip", "two_tools")}
    assert not {"parallel_calls", "two_tools"} & {c.scenario.name for c in made.cells}


def test_a_provider_that_does_not_stream_has_complete_cells_only(tmp_path: Path) -> None:
    made = plan(tmp_path, provider(features={"stream": False}))
    assert {c.mode for c in made.cells} == {"complete"}
    assert made.left_out == {"acme": ("usage_in_stream",)}


def test_samples_repeat_cells(tmp_path: Path) -> None:
    made = plan(tmp_path, scenarios=[get("no_call")], modes=["stream"], samples=3, run_mode="live")
    assert [c.id for c in made.cells] == ["acme-no_call-stream", "acme-no_call-stream-1", "acme-no_call-stream-2"]


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"scenarios": [get("usage_in_stream")], "modes": ["complete"]}, "usage_in_stream with acme in mode complete"),
        ({"scenarios": []}, "no scenario"),
    ],
)
def test_nothing_left_is_an_error(tmp_path: Path, fields: dict[str, object], message: str) -> None:
    with pytest.raises(SelectionError, match=f"nothing is left to run: .*{message}"):
        plan(tmp_path, **fields)


def test_nothing_left_because_of_features_says_so(tmp_path: Path) -> None:
    with pytest.raises(SelectionError, match="acme declares in its features"):
        plan(tmp_path, provider(features={"none": False}), scenarios=[get("no_call")])


def test_a_never_recorded_provider_has_to_run_only_when_named(tmp_path: Path) -> None:
    (tmp_path / "acme").mkdir()
    (tmp_path / "acme" / "single_call.stream.yaml").write_text("x")
    made = make_plan(
        [provider("acme"), provider("beta"), provider("zeta")], catalogue(), cassettes=tmp_path, named=["zeta"]
    )
    assert made.recorded == {"acme"}
    assert [made.has_to_run(name) for name in ("acme", "beta", "zeta")] == [True, False, True]


def test_live_everything_has_to_run(tmp_path: Path) -> None:
    assert plan(tmp_path, run_mode="live").has_to_run("acme")


def test_cells_and_their_parameters_show_no_provider() -> None:
    secret = cell(headers={"x-team": "${TEAM_TOKEN}"})
    assert repr(secret) == "acme-single_call-stream"


@pytest.mark.parametrize(
    ("names", "chosen", "named"),
    [
        ((), ["zeta", "acme", "beta"], set()),
        (("all",), ["zeta", "acme", "beta"], set()),
        (("beta", "zeta"), ["zeta", "beta"], {"zeta", "beta"}),
        (("acme,beta",), ["acme", "beta"], {"acme", "beta"}),
        (("all", "acme"), ["zeta", "acme", "beta"], {"acme"}),
        (("*eta",), ["zeta", "beta"], {"zeta", "beta"}),
    ],
)
def test_selecting_providers(known: ProvidersFile, names: tuple[str, ...], chosen: list[str], named: set[str]) -> None:
    found, really = select_providers(known, names)
    assert [p.name for p in found] == chosen
    assert really == named


def test_a_misspelled_provider(known: ProvidersFile) -> None:
    with pytest.raises(ConfigError, match="no provider is called 'acmee'; did you mean 'acme'"):
        select_providers(known, ["acmee"])


@pytest.mark.parametrize("names", [("",), (",",)])
def test_an_empty_name(known: ProvidersFile, names: tuple[str, ...]) -> None:
    with pytest.raises(SelectionError, match="without a name"):
        select_providers(known, names)
