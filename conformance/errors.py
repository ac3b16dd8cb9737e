"""Everything `conformance` raises on purpose.

    ConformanceError            one sentence: where, what, what to do
    ├── ConfigError             providers.yaml or an option is wrong            exit 4
    ├── SelectionError          a selection matches nothing                     exit 5
    ├── InputError              a file to inspect cannot be read as an exchange  exit 4
    ├── CassetteError           a recording that must not be trusted            exit 1
    │   ├── CassetteCorrupt     unreadable, empty, altered
    │   ├── CassetteStale       its request is no longer what the scenario sends
    │   └── CassetteMissing     never recorded
    ├── NotRun                  a cell that could not be measured               exit 1
    └── RecordError             a run record that cannot be read, or is incomplete  exit 4

Exit codes are those of DESIGN §6.3, shared by every command.
"""

from __future__ import annotations

from typing import ClassVar


class ConformanceError(Exception):
    """Base of all errors a user can cause or meet; `str()` is the sentence to print."""

    exit_code: ClassVar[int] = 3


class ConfigError(ConformanceError):
    """`providers.yaml`, an environment variable or a command-line option is wrong.

    Args:
        problems: one sentence each, all found in one pass.
    """

    exit_code = 4

    def __init__(self, *problems: str) -> None:
        super().__init__("\n".join(problems))
        self.problems = problems


class SelectionError(ConformanceError):
    """Providers, scenarios or quirks were asked for and none is left."""

    exit_code = 5


class InputError(ConformanceError):
    """A file given to `inspect` holds nothing that can be read as an exchange."""

    exit_code = 4


class CassetteError(ConformanceError):
    """A cassette cannot stand for a live exchange; the cell is *not run*."""

    exit_code = 1


class CassetteCorrupt(CassetteError):
    """The file is unreadable or empty, or its bytes are not those that were recorded."""


class CassetteStale(CassetteError):
    """The scenario sends another request than the one that was recorded."""


class CassetteMissing(CassetteError):
    """Nothing was recorded for this provider, scenario and mode."""


class NotRun(ConformanceError):
    """An exchange could not be had; its cell is *not run*, never green (DESIGN §4.6).

    Args:
        reason: `no-key`; `no-address`: a variable of its address or headers is not set; `refused`; `unreachable`;
            `blocked`: by --block-network; `timeout`; `no-response`: the connection ended before an answer; `not-http`:
            the server speaks another protocol; `unsendable`: the request cannot be encoded, or a header not sent;
            `http-401`: any status that says nothing about tool calling; `limit`: a limit on time or bytes ended the
            answer; `secret`: a compressed answer repeats a key; `budget`: beyond --max-requests or --max-seconds;
            `cassette-missing`, `cassette-stale`, `cassette-corrupt`, `no-recording`; `client`: a client library could
            not be installed or started.
        detail: one sentence for people, without secrets.
        fix: the command or the step that helps, `""` if there is none.
    """

    exit_code = 1

    def __init__(self, reason: str, detail: str, fix: str = "") -> None:
        super().__init__(detail)
        self.reason = reason
        self.detail = detail
        self.fix = fix


class RecordError(ConformanceError):
    """A run record is not readable, or lacks its footer."""

    exit_code = 4
