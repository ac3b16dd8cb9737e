#!/usr/bin/env bash
# LiteLLM's proxy on 127.0.0.1:18082 (LITELLM_PORT), in front of llama.cpp, which it starts if need be.
# The key is LITELLM_MASTER_KEY; without it a random one is made and kept in .servers/litellm.key.
source "$(dirname "$0")/common.sh"
port=${LITELLM_PORT:-18082}
"$here/start_llamacpp.sh"
venv litellm 'litellm[proxy]==1.108.7'
if [ -z "${LITELLM_MASTER_KEY:-}" ]; then
  [ -f "$dir/litellm.key" ] || (umask 077 && "$PYTHON" -c 'import secrets; print("sk-" + secrets.token_hex(24))' > "$dir/litellm.key")
  LITELLM_MASTER_KEY=$(cat "$dir/litellm.key")
  echo "the key is in .servers/litellm.key: export LITELLM_MASTER_KEY=\$(cat .servers/litellm.key)"
fi
export LITELLM_MASTER_KEY LITELLM_LOCAL_MODEL_COST_MAP=True LITELLM_TELEMETRY=False
up litellm "http://127.0.0.1:$port/health/liveliness" 120 "$dir/venv-litellm/bin/litellm" \
  --config "$here/litellm.yaml" --host 127.0.0.1 --port "$port"
