"""`conformance audit`: what is counted, that the result depends on the exchanges alone, and what bad input does."""

from __future__ import annotations

import gzip
import io
import json
import random
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import jsonschema
import pytest
import zstandard

from conformance import audit as package
from conformance.audit import inputs
from conformance.audit.scan import Rule, scan
from conformance.cli import call
from conformance.importers import FORMATS
from conformance.importers.capture import exchange
from conformance.importers.compressed import unpack
from conformance.quirks import judge
from conformance.wire.read import read
from tests.audit.captures import capture, everything, lines

SCHEMA = json.loads((Path(package.__file__).parent / "audit.schema.json").read_text(encoding="utf-8"))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with one file a capture, some of them in a folder of their own."""
    for number, one in enumerate(everything()):
        path = tmp_path / "captures" / str(number % 3) / f"{number:03}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(one), encoding="utf-8")
    return tmp_path / "captures"


def document(capsys: pytest.CaptureFixture[str], *args: str, code: int = 1) -> dict[str, Any]:
    """The JSON of an audit; valid by its schema."""
    assert call(["audit", "--format", "json", *args]) == code
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    jsonschema.validate(found, SCHEMA)
    return found


def counts(found: dict[str, Any]) -> dict[tuple[str, ...], dict[str, tuple[int, int]]]:
    """Occurrences and applicable exchanges, by group and quirk."""
    return {
        tuple(group["labels"].values()): {q["quirk"]: (q["occurrences"], q["applicable"]) for q in group["quirks"]}
        for group in found["groups"]
    }


def test_it_counts_what_judging_each_exchange_alone_finds(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    occurrences: Counter[tuple[str, str, str]] = Counter()
    applicable: Counter[tuple[str, str, str]] = Counter()
    for one in everything():
        verdict = judge(read(exchange(one, "x", 0)))
        occurrences.update((one["provider"], one["model"], slug) for slug in {f.quirk for f in verdict.findings})
        applicable.update((one["provider"], one["model"], slug) for slug in verdict.applicable)
    found = document(capsys, str(folder), "--by", "provider,model")
    told = {(*labels, slug): n for labels, quirks in counts(found).items() for slug, n in quirks.items()}
    assert told == {key: (occurrences[key], n) for key, n in applicable.items()}
    assert found["exchanges"] == found["files"] == len(list(everything()))
    assert {group["labels"]["provider"] for group in found["groups"]} == {"alpha", "beta"}


def test_the_result_depends_on_the_exchanges_alone(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    captures = list(everything())
    random.Random(7).shuffle(captures)
    monkeypatch.setattr(inputs, "PIECE", 20_000)  # many pieces out of little data
    (tmp_path / "a.jsonl").write_bytes(lines(captures))
    (tmp_path / "b.jsonl.gz").write_bytes(gzip.compress(lines(captures)))
    (tmp_path / "c.jsonl.zst").write_bytes(zstandard.compress(lines(captures)))
    by_file = [
        counts(document(capsys, str(tmp_path / name), "--workers", workers))
        for name in ("a.jsonl", "b.jsonl.gz", "c.jsonl.zst")
        for workers in ("1", "2")
    ]
    by_file.append(counts(document(capsys, str(folder), "--workers", "2")))
    assert all(one == by_file[0] for one in by_file)

    texts = []
    for workers in ("1", "2", "3"):
        call(["audit", "--format", "json", "--workers", workers, str(folder), str(tmp_path / "a.jsonl")])
        texts.append(capsys.readouterr().out)
    call(["audit", "--format", "json", "--workers", "2", str(tmp_path / "a.jsonl"), str(folder)])
    texts.append(capsys.readouterr().out)
    assert len(set(texts)) == 1


def test_a_dask_cluster_of_two_workers_finds_the_same(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    distributed = pytest.importorskip("distributed")
    monkeypatch.setattr(inputs, "MOST_FILES", 16)
    call(["audit", "--format", "json", "--workers", "1", str(folder)])
    alone = capsys.readouterr().out
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=False, dashboard_address=None
    ) as cluster:
        call(["audit", "--format", "json", "--cluster", cluster.scheduler_address, str(folder)])
    assert capsys.readouterr().out == alone


def test_a_cluster_that_is_not_there_is_one_sentence(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(["audit", "--cluster", "nonsense://x", str(folder)]) == 4
    assert capsys.readouterr().err.startswith("--cluster nonsense://x: no Dask scheduler answers there")


def test_lines_are_numbered_as_inspect_numbers_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "many.jsonl"
    path.write_bytes(
        lines([capture("clean-one"), capture("clean-one"), capture("index-missing"), capture("index-missing")])
    )
    found = document(capsys, str(path))
    (entry,) = [q for q in found["groups"][0]["quirks"] if q["quirk"] == "index-missing"]
    assert (entry["occurrences"], entry["applicable"]) == (2, 4)
    assert entry["example"]["source"] == f"{path}#2"


def test_a_large_file_is_read_in_pieces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one, other = lines([capture("clean-one")]), lines([capture("index-missing")])
    path = tmp_path / "large.jsonl"
    path.write_bytes((one + other) * 10 + other.rstrip(b"\n"))
    monkeypatch.setattr(inputs, "PIECE", len(one) + len(other))
    found = list(inputs.pieces([str(path)]))
    assert len(found) > 5
    data = path.read_bytes()
    read_back = b""
    for piece in found:
        assert isinstance(piece, inputs.Lines)
        assert data[: piece.offset].count(b"\n") == piece.position
        read_back += data[piece.offset : piece.offset + piece.size]
    assert read_back == data


@pytest.mark.parametrize("ending", ["", "\n"])
def test_standard_input(ending: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    data = lines([capture("clean-one"), capture("index-missing")]).rstrip() + ending.encode()
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(data)))
    assert counts(document(capsys, "-"))[("made-up",)]["index-missing"] == (1, 2)
    body = capture("index-missing")["response_body"].encode()
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(body)))
    assert counts(document(capsys, "-"))[("",)]["index-missing"] == (1, 1)


def test_what_cannot_be_read_is_counted_and_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.json").write_text(json.dumps(capture("clean-one")), encoding="utf-8")
    (tmp_path / "b.json").write_text("no exchange", encoding="utf-8")
    (tmp_path / "README.md").write_text("about it", encoding="utf-8")
    damaged = lines([capture("clean-one")])
    (tmp_path / "c.jsonl").write_bytes(damaged + damaged[: len(damaged) // 2] + b"\n" + damaged)
    gone = tmp_path / "gone.json"
    assert call(["audit", "--format", "json", str(tmp_path / "a.json"), str(tmp_path), str(gone)]) == 4
    said = capsys.readouterr()
    found = json.loads(said.out)
    assert found["exchanges"] == 3, "what is given twice counts once"
    assert found["bad"]["count"] == 3
    assert [sentence.split(": ")[0] for sentence in found["bad"]["problems"]] == [
        str(tmp_path / "b.json"),
        f"{tmp_path / 'c.jsonl'}#1",
        str(gone),
    ]
    assert said.err.splitlines() == found["bad"]["problems"]


@pytest.mark.parametrize("compress", [gzip.compress, zstandard.compress])
@pytest.mark.parametrize("piped", [False, True])
@pytest.mark.parametrize("cut", [False, True])
def test_what_comes_before_a_damage_is_counted(
    compress: Callable[[bytes], bytes],
    piped: bool,
    cut: bool,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    noise = random.Random(2)
    content = lines([capture("clean-one", note=noise.randbytes(1000).hex()) for _ in range(400)])
    whole = compress(content)
    damaged = whole[: len(whole) // 2] if cut else whole + b"something else"
    path = tmp_path / "damaged"
    path.write_bytes(damaged)
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(damaged)))
    name = "-" if piped else str(path)
    found = document(capsys, name, code=4)
    assert found["exchanges"] == (unpack(damaged)[0].count(b"\n") if cut else 400) > 50
    (problem,) = found["bad"]["problems"]
    assert problem.startswith(f"{name}: the compressed file {'ends before its end' if cut else 'is followed by'}")


@pytest.mark.parametrize(
    ("files", "code"), [({}, 5), ({"x.json": "nothing known"}, 5), ({"x.json": json.dumps(capture("clean-one"))}, 0)]
)
def test_it_is_never_green_without_an_exchange(
    files: dict[str, str], code: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    assert call(["audit", str(tmp_path)]) == code
    assert capsys.readouterr().out


def test_a_link_to_itself_is_a_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "one").symlink_to(tmp_path / "two")
    (tmp_path / "two").symlink_to(tmp_path / "one")
    for more in ([], ["-o", str(tmp_path / "out")]):
        assert call(["audit", str(tmp_path / "one"), *more]) == 4
        (said,) = capsys.readouterr().err.splitlines()
        assert said.startswith(f"{tmp_path / 'one'}: cannot be read (")


def test_one_exchange_of_a_file_is_for_inspect(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = folder / "0" / "000.json"
    assert call(["audit", f"{path}#0"]) == 4
    assert capsys.readouterr().err == f"{path}#0: one exchange of a file is for inspect; audit {path} as a whole\n"


def test_the_known_formats_are_listed_for_a_named_file_only(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "folder" / "package.json"
    path.parent.mkdir()
    path.write_text('{"name": "web"}', encoding="utf-8")
    brief = f"{path}: holds no exchange in any known format"
    assert call(["audit", str(path.parent)]) == 5
    assert capsys.readouterr().err == f"{brief}\n"
    assert call(["audit", str(path)]) == 4
    assert capsys.readouterr().err == f"{brief}; give {FORMATS}\n"


@pytest.mark.parametrize("by", ["", "nonsense", "provider,provider", "provider,nonsense"])
def test_a_wrong_label_is_one_sentence(by: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(["audit", "--by", by, str(tmp_path)]) == 4
    assert "choose from provider, model" in capsys.readouterr().err


def test_strict_counts_should_findings(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "one.json"
    path.write_text(json.dumps(capture("id-empty-later")), encoding="utf-8")
    document(capsys, str(path), code=0)
    document(capsys, str(path), "--strict", code=1)


def test_each_exchange_as_a_line_in_the_order_of_the_input(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(["audit", "--format", "jsonl", "--workers", "2", str(folder)]) == 1
    documents = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [one["source"] for one in documents] == [f"{path}#0" for path in sorted(folder.rglob("*.json"))]
    assert call(["inspect", "--format", "json", documents[5]["source"].removesuffix("#0")]) in (0, 1)
    (inspected,) = json.loads(capsys.readouterr().out)["exchanges"]
    assert documents[5] == inspected | {"provider": documents[5]["provider"], "model": documents[5]["model"]}


def test_people_see_groups_and_quirks(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    call(["audit", str(folder)])
    shown = capsys.readouterr().out
    assert "\x1b" not in shown
    names = [line.split()[0] for line in shown.splitlines() if line.strip()]
    assert names[:3] == ["provider", "alpha", "beta"]
    call(["audit", "--format", "md", "-o", str(tmp_path / "out" / "audit.md"), str(folder)])
    assert capsys.readouterr().out == ""
    written = (tmp_path / "out" / "audit.md").read_text(encoding="utf-8")
    assert "| quirk | level | alpha | beta |" in written
    widths = {line.count("|") for line in written.splitlines() if line.startswith("| index-missing ")}
    assert widths == {5}


def test_a_label_from_a_capture_cannot_write_on_the_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "one.json"
    path.write_text(json.dumps(capture("clean-one", provider="\x1b[2Jevil|`<b>")), encoding="utf-8")
    for form in ("table", "md"):
        call(["audit", "--format", form, str(path)])
        shown = capsys.readouterr().out
        assert "\x1b" not in shown
        assert "evil" in shown
    assert "<b>" not in shown


def test_what_is_read_is_not_written_over(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one = folder / "0" / "000.json"
    before = one.read_bytes()
    for path in (one, folder):
        assert call(["audit", str(path), "-o", str(one)]) == 4
        assert "this is one of the files to read" in capsys.readouterr().err
    assert one.read_bytes() == before
    assert call(["audit", str(one), "-o", str(folder / "new.md")]) in (0, 1)


def test_a_cluster_reads_relative_paths(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder.parent)
    rule = Rule(by=("provider",))
    piece = inputs.Files(("captures/0/000.json", "captures/gone.json"), given=True)
    here = scan(piece, rule)
    monkeypatch.chdir("/")
    elsewhere = scan(piece, rule, str(folder.parent))
    assert elsewhere.tally == here.tally
    assert elsewhere.tally.problems == ["captures/gone.json: there is no such file; check the path"]
    assert capsys.readouterr().err == ""


def test_an_output_that_cannot_be_written_is_known_at_once(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(["audit", str(folder / "0"), "-o", str(folder / "1")]) == 4
    assert capsys.readouterr().err == f"{folder / '1'}: cannot write it (it is a folder); choose another file\n"


@pytest.fixture(autouse=True)
def _no_leftovers(tmp_path: Path) -> Iterator[None]:
    yield
    assert list(tmp_path.rglob(".*.*")) == []
