"""Put the records of the shards of one run together again, without loss."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from conformance.errors import RecordError
from conformance.run.outcome import conclude, footer
from conformance.run.rates import rates
from conformance.run.record import Record, RecordWriter
from conformance.run.rows import ExchangeRow, Header, ProviderRow


def join(records: Sequence[Record], path: Path) -> int:
    """Write one record out of several.

    It is the record that one run would have written: the same exchanges, and a verdict on them all, stale expectations
    included.

    Args:
        records: of all shards of a run, or of runs that have no exchange in common.
        path: the record to write.

    Returns:
        Its exit code (DESIGN §6.3).

    Raises:
        RecordError: a shard is missing, two hold the same exchange, or they are not of one kind.
        ConfigError: the record cannot be written.
    """
    header = _header(records)
    rows = _rows(records)
    outcome = conclude(header, rows, strict=header.get("strict", False))
    finished = max(record.footer["finished"] for record in records if record.footer is not None)
    with RecordWriter(path, header) as writer:
        for row in rows:
            writer.exchange(row)
        writer.finish(footer(outcome, finished, outcome.exit_code, rates(rows)))
    return outcome.exit_code


def _header(records: Sequence[Record]) -> Header:
    first = records[0]
    for other in records[1:]:
        for what, a, b in (
            ("versions of conformance", first.header["version"], other.header["version"]),
            ("ways to get exchanges", first.header["run_mode"], other.header["run_mode"]),
            ("settings of --strict", first.header.get("strict"), other.header.get("strict")),
            ("sets of quirks", first.header["quirks"], other.header["quirks"]),
        ):
            if a != b:
                raise RecordError(f"{first.path} and {other.path} have different {what}; they are not parts of one run")
    headers = [record.header for record in records]
    _check_shards(records)
    merged = first.header.copy()
    merged["started"] = min(header["started"] for header in headers)
    merged["python"] = ", ".join(sorted({header["python"] for header in headers}))
    merged["packages"] = {
        name: ", ".join(sorted({h["packages"][name] for h in headers if name in h["packages"]}))
        for name in dict.fromkeys(name for header in headers for name in header["packages"])
    }
    merged["providers"] = _providers(records)
    merged["scenarios"] = sorted(
        {s["name"]: s for header in headers for s in header["scenarios"]}.values(), key=lambda s: s["name"]
    )
    merged["cells"] = sum(header.get("cells", 0) for header in headers)
    merged["shard"] = None
    merged["narrowed"] = any(header.get("narrowed", False) for header in headers)
    if via := {gateway: upstream for header in headers for gateway, upstream in header.get("via", {}).items()}:
        merged["via"] = via
    merged["resumed"] = sorted({moment for header in headers for moment in header.get("resumed", [])})
    return merged


def _check_shards(records: Sequence[Record]) -> None:
    """Either all are shards of one run and none is missing, or none is a shard."""
    shards = [(record, shard) for record in records if (shard := record.header.get("shard")) is not None]
    if not shards:
        return
    if len(shards) < len(records):
        raise RecordError("some records are shards and some are not; give all shards of one run, and nothing else")
    many = {shard["of"] for _, shard in shards}
    if len(many) > 1:
        raise RecordError(f"these are shards of different runs: {', '.join(_name(r) for r in records)}")
    (of,) = many
    there = [shard["index"] for _, shard in shards]
    missing = sorted(set(range(1, of + 1)) - set(there))
    if missing:
        names = ", ".join(f"{index}/{of}" for index in missing)
        raise RecordError(f"shard {names} is missing; give the records of all {of}")


def _name(record: Record) -> str:
    shard = record.header.get("shard")
    return f"{record.path} ({shard['index']}/{shard['of']})" if shard else str(record.path)


def _providers(records: Sequence[Record]) -> list[ProviderRow]:
    found: dict[str, tuple[Record, ProviderRow]] = {}
    for record in records:
        for row in record.header["providers"]:
            known = found.get(row["name"])
            if known is None:
                found[row["name"]] = (record, row)
                continue
            if (known[1]["base_url"], known[1]["expectations"]) != (row["base_url"], row["expectations"]):
                raise RecordError(
                    f"{known[0].path} and {record.path} describe {row['name']} differently; "
                    "they are not parts of one run"
                )
            both = row.copy()
            both["models"] = sorted({*known[1]["models"], *row["models"]})
            both["recorded"] = known[1]["recorded"] or row["recorded"]
            both["selected"] = known[1]["selected"] or row["selected"]
            both["left_out"] = sorted({*known[1]["left_out"], *row["left_out"]})
            found[row["name"]] = (known[0], both)
    return [row for _, row in found.values()]


def _rows(records: Iterable[Record]) -> list[ExchangeRow]:
    found: dict[tuple[object, ...], tuple[Record, ExchangeRow]] = {}
    for record in records:
        for row in record.exchanges:
            key = (row["provider"], row["model"], row["scenario"], row["mode"], row["sample"], row["step"])
            if key in found:
                raise RecordError(
                    f"{found[key][0].path} and {record.path} both hold {row['source']}; "
                    "'conformance report' shows several runs together, the latest counting"
                )
            found[key] = (record, row)
    return [row for _, row in found.values()]
