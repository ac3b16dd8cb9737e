#!/usr/bin/env bash
# Before anybody is asked: what is planned, and what the committed recordings say, for the rows nobody asks tonight.
# Where several records hold an exchange the one that started last counts, so this one has to start first.
#
#   NIGHTLY_PROVIDERS   as in plan.py
#
# What an earlier night left is removed first: it must not be taken for this one.
#
# Writes runs/night/_committed/{plan.json,run.jsonl}. No provider is called so: names begin with a letter.
set -euo pipefail

into=runs/night/_committed
rm -rf runs/night runs/result
mkdir -p "$into"
# not in a pipe: should the providers file be wrong, that is all there is to say
listed=$(.venv/bin/conformance list providers --format json)
.venv/bin/python tools/nightly/plan.py <<< "$listed" > "$into/plan.json"
# red recordings are red in the night's verdict; 5: nothing was ever recorded
code=0
.venv/bin/conformance run --replay --output "$into" > "$into/log" 2>&1 || code=$?
case $code in
  0 | 1 | 5) ;;
  *)
    cat "$into/log" >&2
    exit "$code"
    ;;
esac
