"""What happens where there is no browser: a reason to skip, and never in CI."""

from __future__ import annotations

import pytest

from tests.site.browser import launched


@pytest.mark.parametrize(("ci", "outcome"), [("", pytest.skip.Exception), ("true", pytest.fail.Exception)])
def test_without_a_browser(monkeypatch: pytest.MonkeyPatch, ci: str, outcome: type[BaseException]) -> None:
    pytest.importorskip("playwright.sync_api")
    monkeypatch.setenv("CI", ci)
    monkeypatch.setenv("PATH", "")
    with pytest.raises(outcome, match=r"no browser is installed .+ apt-get install chromium"), launched():
        pass
