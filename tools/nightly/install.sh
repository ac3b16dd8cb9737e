#!/usr/bin/env bash
# Installs conformance into .venv, with locked dependencies. PYTHON: the interpreter to use; python3 if not given.
set -euo pipefail

"${PYTHON:-python3}" -m venv .venv
.venv/bin/pip install --quiet --disable-pip-version-check --require-hashes --requirement requirements.lock
.venv/bin/pip install --quiet --disable-pip-version-check --no-build-isolation --no-deps .
