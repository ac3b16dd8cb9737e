#!/usr/bin/env bash
# Start LiteLLM's proxy on 127.0.0.1:18082 (LITELLM_PORT), in front of the llama.cpp server, which is started if need be.
# With LLAMACPP_BASE_URL it stands in front of a server that runs elsewhere.
# The key is LITELLM_MASTER_KEY; without it a random one is made and kept in .servers/litellm.key.
# shellcheck source-path=SCRIPTDIR source=common.sh
source "$(dirname "$0")/common.sh"
port=${LITELLM_PORT:-18082}
if [ -z "${LLAMACPP_BASE_URL:-}" ]; then
  LLAMACPP_SIZE=0.5b "$here/start_llamacpp.sh"
  LLAMACPP_BASE_URL=http://127.0.0.1:${LLAMACPP_PORT:-18081}/v1
fi
venv litellm
if [ -z "${LITELLM_MASTER_KEY:-}" ]; then
  if [ ! -s "$dir/litellm.key" ]; then
    (umask 077 && "$PYTHON" -c 'import secrets; print("sk-" + secrets.token_hex(24))' > "$dir/litellm.key")
  fi
  LITELLM_MASTER_KEY=$(cat "$dir/litellm.key")
  echo "the key is in $dir/litellm.key; give it to conformance as LITELLM_MASTER_KEY"
fi
export LLAMACPP_BASE_URL LITELLM_MASTER_KEY LITELLM_LOCAL_MODEL_COST_MAP=True LITELLM_TELEMETRY=False
up litellm "http://127.0.0.1:$port/health/liveliness" 120 "$dir/venv-litellm/bin/litellm" \
  --config "$here/litellm.yaml" --host 127.0.0.1 --port "$port"
# the key of a proxy that runs already is the one it was started with
curl -sf -m 5 -o /dev/null --noproxy '*' -H "Authorization: Bearer $LITELLM_MASTER_KEY" "http://127.0.0.1:$port/v1/models" \
  || fail "litellm does not take this LITELLM_MASTER_KEY; start it anew with it: tools/servers/stop.sh litellm"
