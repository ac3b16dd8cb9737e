#!/usr/bin/env bash
# A night without GitHub: ask every provider whose key is in the environment, put it together, and print what a mail is
# to say. Exit code: 0 nothing unexpected; 1 something is; 4 the providers file or
# NIGHTLY_PROVIDERS is wrong; 5 nothing was measured. Nothing is committed.
#
#   NIGHTLY_PROVIDERS                    as in plan.py
#   SAMPLES, MAX_REQUESTS, MAX_SECONDS   as in provider.sh; MAX_SECONDS is for each provider
#   SITE                                 a folder that the site is copied to; its badges are in SITE/badges
#   BASE                                 as in merge.sh
set -euo pipefail
cd "$(dirname "$0")/../.."
export SAMPLES=${SAMPLES:-4} MAX_REQUESTS=${MAX_REQUESTS:-1000} MAX_SECONDS=${MAX_SECONDS:-2400}

# one night at a time; a second one would ask everything twice
mkdir -p runs
exec 9> runs/night.lock
flock --nonblock 9 || { echo "the night before is not over yet; nothing was asked" >&2; exit 4; }

tools/nightly/committed.sh
.venv/bin/python -c '
import json
for one in json.load(open("runs/night/_committed/plan.json")):
    print(one["name"], str(one["required"]).lower(), one["key"])
' | while read -r PROVIDER REQUIRED KEY_NAME; do
  export PROVIDER REQUIRED KEY_NAME
  if [ "$(tools/nightly/key.sh)" = ask=true ]; then
    # whatever comes of it, the others are asked, and the merged night says it
    mkdir -p "runs/night/$PROVIDER"
    tools/nightly/provider.sh > "runs/night/$PROVIDER/log" 2>&1 < /dev/null || true
  fi
done

code=0
tools/nightly/merge.sh 2>&1 || code=$?
if [ -n "${SITE-}" ] && [ "$code" -le 1 ]; then
  mkdir -p "$SITE"
  cp -R runs/result/site/. "$SITE"
fi
echo "Everything is in $PWD/runs/result."
exit "$code"
