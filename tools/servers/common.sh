# Shared by the start scripts: where things lie, and how a server is started, waited for and remembered.
# Everything lies under .servers/ at the top of the repository, which git ignores; SERVERS_DIR overrides it.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
dir=${SERVERS_DIR:-$root/.servers}
mkdir -p "$dir"
PYTHON=${PYTHON:-python3}

# venv NAME REQUIREMENT...: a virtual environment with these packages, made once
venv() {
  local name=$1
  shift
  if [ ! -f "$dir/venv-$name/.ready" ]; then
    "$PYTHON" -m venv "$dir/venv-$name"
    "$dir/venv-$name/bin/pip" install -q "$@"
    touch "$dir/venv-$name/.ready"
  fi
}

# up NAME URL SECONDS COMMAND...: start in the background unless the URL answers already, then wait for it
up() {
  local name=$1 url=$2 seconds=$3
  shift 3
  if curl -sf -o /dev/null --noproxy '*' "$url"; then
    echo "$name answers already"
    return
  fi
  setsid nohup "$@" > "$dir/$name.log" 2>&1 < /dev/null &
  echo $! > "$dir/$name.pid"
  for _ in $(seq "$seconds"); do
    if curl -sf -o /dev/null --noproxy '*' "$url"; then
      echo "$name is ready (pid $(cat "$dir/$name.pid"), log .servers/$name.log)"
      return
    fi
    if ! kill -0 "$(cat "$dir/$name.pid")" 2> /dev/null; then
      echo "$name ended while starting; see .servers/$name.log" >&2
      tail -n 5 "$dir/$name.log" >&2
      exit 1
    fi
    sleep 1
  done
  echo "$name did not answer within $seconds seconds; see .servers/$name.log" >&2
  exit 1
}
