#!/usr/bin/env bash
# Write the 0.5b model in Hugging Face form, as vLLM and transformers want it, to .servers/hf-qwen (1.3 GB, 45 s).
#   hf_model.sh VENV     the environment to convert it in: vllm or transformers
# shellcheck source-path=SCRIPTDIR source=common.sh
source "$(dirname "$0")/common.sh"
venv=${1:?the environment to convert the model in: vllm or transformers}
if [ ! -d "$dir/hf-qwen" ]; then
  "$here/fetch_model.sh" 0.5b
  rm -rf "$dir/hf-qwen.part"
  "$dir/venv-$venv/bin/python" "$here/gguf_to_hf.py" "$dir/models/qwen2.5-coder-0.5b.gguf" "$dir/hf-qwen.part"
  mv "$dir/hf-qwen.part" "$dir/hf-qwen"
fi
