"""The commands that show an exchange again, told from the record alone."""

from __future__ import annotations

from conformance import text
from conformance.report.grid import Matrix
from conformance.run.plan import GATEWAY, LOCAL
from conformance.run.rows import EvidenceRow, ExchangeRow


def command(matrix: Matrix, row: ExchangeRow) -> str:
    """A line for a shell; an exchange that has no cassette is asked for live.

    The record does not know which variable held the key of an address that is in no file; whoever needs one adds
    `--api-key-env`.
    """
    words = ["conformance", "run"]
    if row["provider"] in (LOCAL, GATEWAY):
        words += text.option("--base-url", _address(matrix, row["provider"]))
        words += text.option("--model", row["model"])
    else:
        words += text.option("--provider", row["provider"])
        words += text.option("--model", row["model"])
        words += ["--live"] if row["evidence"] is None else []
    words += [*text.option("--scenario", row["scenario"]), "--mode", row["mode"]]
    return text.command(*words)


def _address(matrix: Matrix, provider: str) -> str:
    return next((one.provider["base_url"] for one in matrix.rows if one.provider["name"] == provider), "")


def inspect(evidence: EvidenceRow) -> str:
    """The line that shows the recorded bytes."""
    return text.command("conformance", "inspect", evidence["cassette"])
