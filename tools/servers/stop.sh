#!/usr/bin/env bash
# Stop the servers that the start scripts started, by their pid files: stop.sh [NAME...]
source "$(dirname "$0")/common.sh"
[ $# -gt 0 ] || set -- llamacpp litellm vllm transformers
for name in "$@"; do
  if [ -f "$dir/$name.pid" ]; then
    # the whole process group: some servers start workers of their own
    kill -- "-$(cat "$dir/$name.pid")" 2> /dev/null || true
    rm -f "$dir/$name.pid"
    echo "stopped $name"
  fi
done
