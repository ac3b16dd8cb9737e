#!/usr/bin/env bash
# Stop the servers that the start scripts started, by their pid files: stop.sh [llamacpp|llamacpp-1.5b|litellm|vllm|transformers]...
# shellcheck source-path=SCRIPTDIR source=common.sh
source "$(dirname "$0")/common.sh"
[ $# -gt 0 ] || set -- litellm llamacpp llamacpp-1.5b vllm transformers
for name; do
  down "$name"
done
