#!/usr/bin/env bash
# Start transformers serve, one thread, on 127.0.0.1:18086 (TRANSFORMERS_PORT). Requests call the model ./hf-qwen.
# shellcheck source-path=SCRIPTDIR source=common.sh
source "$(dirname "$0")/common.sh"
port=${TRANSFORMERS_PORT:-18086}
venv transformers
"$here/hf_model.sh" transformers
"$PYTHON" "$here/fence_model.py" "$dir/hf-qwen" "$dir/transformers/hf-qwen" "$here/qwen-fence.jinja"
export HF_HUB_OFFLINE=1 OMP_NUM_THREADS=1
cd "$dir/transformers"
up transformers "http://127.0.0.1:$port/health" 120 "$dir/venv-transformers/bin/transformers" serve ./hf-qwen \
  --host 127.0.0.1 --port "$port" --device cpu --dtype float32
