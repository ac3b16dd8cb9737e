#!/usr/bin/env bash
# vLLM on the CPU, 127.0.0.1:18084 (VLLM_PORT). Takes about 80 s and 5 GB of memory.
source "$(dirname "$0")/common.sh"
port=${VLLM_PORT:-18084}
"$here/hf_model.sh"
export VLLM_CPU_KVCACHE_SPACE=1 VLLM_CPU_OMP_THREADS_BIND=nobind OMP_NUM_THREADS=1 HF_HUB_OFFLINE=1 VLLM_NO_USAGE_STATS=1
up vllm "http://127.0.0.1:$port/health" 300 "$dir/venv-vllm/bin/vllm" serve "$dir/hf-qwen" --host 127.0.0.1 \
  --port "$port" --served-model-name qwen2.5-coder-0.5b-instruct --enforce-eager --max-model-len 4096 \
  --max-num-seqs 2 --dtype float32 --enable-auto-tool-choice --tool-call-parser hermes
