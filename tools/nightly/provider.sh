#!/usr/bin/env bash
# Asks one provider everything, keeps its answers and judges them: runs/night/PROVIDER. Exits as `conformance run` does.
#
#   PROVIDER, KEY_NAME, API_KEY   as in key.sh
#   SAMPLES                       how often an exchange is repeated at most, until it is settled what it shows
#   MAX_REQUESTS, MAX_SECONDS     the budget; what lies beyond it is not run, which is red
set -euo pipefail

if [ -n "${API_KEY-}" ] && [ -n "$KEY_NAME" ]; then
  export "$KEY_NAME=$API_KEY"
fi
unset API_KEY

into=runs/night/$PROVIDER
args=(run --provider "$PROVIDER" --record --cassettes "$into/cassettes" --output "$into")
args+=(--samples "$SAMPLES" --max-requests "$MAX_REQUESTS" --max-seconds "$MAX_SECONDS")
if [ -n "${GITHUB_STEP_SUMMARY-}" ]; then
  args+=(--step-summary)
fi
exec .venv/bin/conformance "${args[@]}"
