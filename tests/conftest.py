"""Settings for all tests."""

import os
import signal

# pytester forgets modules that a run imported, but httpx2 keeps the exceptions of the httpcore2 it saw first
import httpcore2  # noqa: F401
from hypothesis import settings

# a slow machine is no fault of the code under test: time is measured in benchmarks/
settings.register_profile("unhurried", deadline=None, print_blob=True)
settings.load_profile("unhurried")

# a process that was started in the background ignores Ctrl-C, and so would the programs that tests interrupt
signal.signal(signal.SIGINT, signal.default_int_handler)

# what is printed must not depend on whether the tests run in a job
for _name in ("GITHUB_ACTIONS", "GITHUB_STEP_SUMMARY", "GITHUB_WORKSPACE", "GITHUB_OUTPUT"):
    os.environ.pop(_name, None)
