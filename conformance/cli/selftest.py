"""`conformance selftest`: how often the verdict is right."""

from __future__ import annotations

import click


@click.command(short_help="Measure how often the verdict is right, on planted faults.")
@click.argument("names", nargs=-1, metavar="[FAULT]...")
@click.option("-v", "--verbose", is_flag=True, help="Print every verdict, not only the wrong ones.")
def command(names: tuple[str, ...], verbose: bool) -> int:
    """Serve every fault and every legal variation on loopback, judge the answers, and count.

    Exit code 0 if every fault is named and no legal variation raises an alarm, else 1.
    """
    from conformance.faults import find
    from conformance.run.selftest import Outcome, selftest

    for name in names:
        find(name)

    def tell(outcome: Outcome) -> None:
        if verbose or not outcome.right:
            mark = "ok" if outcome.right else "WRONG"
            said = outcome.why or ", ".join(outcome.found) or "nothing found"
            click.echo(f"{mark:5}  {outcome.fault.name}/{outcome.mode}: {said}")

    figures = selftest(names, tell)
    click.echo(f"faults detected: {figures.detected}/{figures.faults}")
    click.echo(f"false alarms: {figures.alarms}/{figures.legal} legal variations")
    return 0 if figures.detected == figures.faults and not figures.alarms else 1
