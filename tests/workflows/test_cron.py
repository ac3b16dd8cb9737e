"""The nightly without GitHub: one script, and what it prints is the mail."""

from __future__ import annotations

import subprocess
from pathlib import Path

from tests.workflows.nights import KEYS, Nights
from tests.workflows.runner import git, install


def cron(nights: Nights, **variables: str) -> tuple[int, str]:
    done = subprocess.run(
        [nights.clone / "tools/nightly/cron.sh"],
        cwd=nights.folder,  # as cron does: not in the repository
        env={**nights.machine, "SAMPLES": "1", **variables},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )
    return done.returncode, done.stdout.decode()


def test_a_night_of_cron(tmp_path: Path) -> None:
    nights = Nights(tmp_path)
    install(nights.clone)
    site = tmp_path / "site"
    with nights.serving({"tides": "index-all-zero"}):
        code, mail = cron(nights, TIDES_API_KEY=KEYS["tides"], SITE=str(site))
    assert code == 1, mail
    assert mail.startswith("Asked this night: tides.\n\n- acme: not asked: no key (ACME_API_KEY)\n")
    assert "No reports are committed yet, so that there is nothing to compare with." in mail
    assert "✕ must index-reused: tides: " in mail
    assert mail.endswith(f"Everything is in {nights.clone}/runs/result.\n")
    assert (site / "index.html").is_file()
    assert (site / "badges" / "tides.json").is_file()
    assert git(nights.clone, "status", "--porcelain") == "", "what is committed is left alone"
    assert KEYS["tides"] not in mail


def test_a_night_that_asked_nobody_says_so(tmp_path: Path) -> None:
    nights = Nights(tmp_path)
    install(nights.clone)
    code, mail = cron(nights, SITE=str(tmp_path / "site"))
    assert code == 5, mail
    assert mail.startswith("Asked this night: nobody.\n")
    assert "Nothing was measured" in mail
    assert not (tmp_path / "site").exists()


def test_a_name_that_nobody_has_ends_the_night_before_anybody_is_asked(tmp_path: Path) -> None:
    nights = Nights(tmp_path)
    install(nights.clone)
    code, mail = cron(nights, NIGHTLY_PROVIDERS="acne")
    assert code == 4
    assert mail == "plan: NIGHTLY_PROVIDERS: acne: not in the providers file, which has acme, tides\n"


def test_a_wrong_providers_file_is_all_there_is_to_say(tmp_path: Path) -> None:
    nights = Nights(tmp_path)
    install(nights.clone)
    result = nights.clone / "runs" / "result"
    (result / "site").mkdir(parents=True)
    (result / "site" / "index.html").write_text("of the night before")
    nights.commit("providers.yaml", "providers: [\n")
    site = tmp_path / "site"
    code, mail = cron(nights, TIDES_API_KEY=KEYS["tides"], SITE=str(site))
    assert code == 4, mail
    assert mail.startswith("providers.yaml:")
    assert mail.count("\n") == 1
    assert not result.exists(), "it is not taken for this one"
    assert not site.exists()
