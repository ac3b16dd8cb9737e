"""The commands that show an exchange again, told from the record alone."""

from __future__ import annotations

import shlex

from conformance.report.grid import Matrix
from conformance.report.text import visible
from conformance.run.plan import GATEWAY, LOCAL
from conformance.run.rows import EvidenceRow, ExchangeRow


def command(matrix: Matrix, row: ExchangeRow) -> str:
    """A line for a shell; an exchange that has no cassette is asked for live.

    The record does not know which variable held the key of an address that is in no file; whoever needs one adds
    `--api-key-env`.
    """
    words = ["conformance", "run"]
    if row["provider"] in (LOCAL, GATEWAY):
        words += ["--base-url", _address(matrix, row["provider"]), "--model", row["model"]]
    else:
        words += ["--provider", row["provider"], "--model", row["model"]]
        words += ["--live"] if row["evidence"] is None else []
    words += ["--scenario", row["scenario"], "--mode", row["mode"]]
    return visible(shlex.join(words), 2000)


def _address(matrix: Matrix, provider: str) -> str:
    return next((one.provider["base_url"] for one in matrix.rows if one.provider["name"] == provider), "")


def inspect(evidence: EvidenceRow) -> str:
    """The line that shows the recorded bytes."""
    return visible(shlex.join(["conformance", "inspect", evidence["cassette"]]), 2000)
