#!/usr/bin/env bash
# Start llama.cpp's server on 127.0.0.1:18081 (LLAMACPP_PORT), one thread (LLAMACPP_THREADS).
# LLAMACPP_SIZE=1.5b serves the bigger model beside it, as llamacpp-1.5b on port 18083.
# shellcheck source-path=SCRIPTDIR source=common.sh
source "$(dirname "$0")/common.sh"
size=${LLAMACPP_SIZE:-0.5b}
case $size in
  0.5b) name=llamacpp port=${LLAMACPP_PORT:-18081} ;;
  *) name=llamacpp-$size port=${LLAMACPP_PORT:-18083} ;;
esac
"$here/fetch_model.sh" "$size"
venv llamacpp
# the model answers with a fenced JSON block; with its own template llama.cpp does not recognise the call
up "$name" "http://127.0.0.1:$port/health" 120 "$dir/venv-llamacpp/bin/python" "$here/llama_server.py" \
  --model "$dir/models/qwen2.5-coder-$size.gguf" --port "$port" --alias "qwen2.5-coder-$size-instruct" \
  --template "$here/qwen-fence.jinja" --threads "${LLAMACPP_THREADS:-1}"
