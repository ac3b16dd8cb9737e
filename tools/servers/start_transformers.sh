#!/usr/bin/env bash
# transformers serve, 127.0.0.1:18086 (TRANSFORMERS_PORT). The model is called ./hf-qwen in requests.
source "$(dirname "$0")/common.sh"
port=${TRANSFORMERS_PORT:-18086}
"$here/hf_model.sh"
export HF_HUB_OFFLINE=1 OMP_NUM_THREADS=1
cd "$dir/transformers"
up transformers "http://127.0.0.1:$port/health" 120 "$dir/venv-vllm/bin/transformers" serve ./hf-qwen --host 127.0.0.1 \
  --port "$port" --device cpu --dtype float32
