#!/usr/bin/env bash
# Prints `ask=true` or `ask=false`: whether a provider can be asked, or has no key and need not be.
#
#   PROVIDER   its name in providers.yaml
#   KEY_NAME   the variable that its key is read from; empty if it takes none
#   API_KEY    the key; if it is empty, what KEY_NAME holds counts
#   REQUIRED   true if a missing key is to be red: the provider is asked all the same, and says `no-key`
set -euo pipefail

key=${API_KEY-}
if [ -z "$key" ] && [ -n "$KEY_NAME" ]; then
  key=${!KEY_NAME-}
fi
if [ -n "$key" ] || [ -z "$KEY_NAME" ] || [ "$REQUIRED" = true ]; then
  echo "ask=true"
  exit
fi
mkdir -p "runs/night/$PROVIDER"
echo "no key ($KEY_NAME)" > "runs/night/$PROVIDER/not-asked"
if [ "${GITHUB_ACTIONS-}" = true ]; then
  echo "::warning title=$PROVIDER::not run, as there is no key; add API_KEY to the environment provider-$PROVIDER" >&2
fi
echo "ask=false"
