# shellcheck shell=bash
# Sourced by the scripts beside it: where things lie, and how a server is installed, started, remembered and stopped.
# Everything lies under .servers/ at the top of the repository, which git ignores; SERVERS_DIR moves it elsewhere.
# PYTHON names the interpreter that makes the virtual environments (3.11; the pinned versions are chosen for it).
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
dir=${SERVERS_DIR:-$here/../../.servers}
mkdir -p "$dir"
dir=$(cd "$dir" && pwd)
PYTHON=${PYTHON:-python3}

fail() {
  echo "$(basename "$0"): $*" >&2
  exit 1
}

# venv NAME: the virtual environment venv-NAME with exactly the packages of requirements/NAME.txt
venv() {
  local pip=$dir/venv-$1/bin/pip ready=$dir/venv-$1/.ready pins=$here/requirements/$1.txt torch
  cmp -s "$pins" "$ready" && return
  "$PYTHON" -m venv "$dir/venv-$1"
  # torch first and with what it depends on, since that differs between its CPU build and the others
  torch=$(grep '^torch==' "$pins" || true)
  [ -z "$torch" ] || "$pip" install -q "$torch"
  "$pip" install -q --no-deps -r "$pins"
  cp "$pins" "$ready"
}

answers() { curl -sf -m 5 -o /dev/null --noproxy '*' "$1"; }

# running NAME: whether the process in NAME.pid lives and is still one of ours (a pid can be given out again)
running() {
  [ -f "$dir/$1.pid" ] && ps -o args= -p "$(cat "$dir/$1.pid")" 2> /dev/null | grep -q 'venv-'
}

# up NAME URL SECONDS COMMAND...: start the server in the background and wait until the URL answers.
# Nothing happens where it runs already; an error where it runs with another command, or where a stranger answers.
up() {
  local name=$1 url=$2 seconds=$3 pid
  shift 3
  if running "$name"; then
    [ ! -f "$dir/$name.command" ] || [ "$(cat "$dir/$name.command")" = "$*" ] \
      || fail "$name runs with other settings; stop it first: tools/servers/stop.sh $name"
    answers "$url" || fail "$name runs but does not answer at $url; stop it first: tools/servers/stop.sh $name"
    echo "$name runs already (pid $(cat "$dir/$name.pid"))"
    return
  fi
  ! answers "$url" || fail "something else answers at $url; stop it, or choose another port (see tools/servers/README.md)"
  setsid nohup "$@" > "$dir/$name.log" 2>&1 < /dev/null &
  pid=$!
  echo "$pid" > "$dir/$name.pid"
  echo "$*" > "$dir/$name.command"
  for _ in $(seq "$seconds"); do
    if answers "$url"; then
      echo "$name is ready (pid $pid)"
      return
    fi
    if ! kill -0 "$pid" 2> /dev/null; then
      tail -n 5 "$dir/$name.log" >&2
      rm -f "$dir/$name.pid"
      fail "$name ended while starting; its log is $dir/$name.log"
    fi
    sleep 1
  done
  fail "$name did not answer within $seconds seconds; its log is $dir/$name.log; stop it: tools/servers/stop.sh $name"
}

# down NAME: stop the server that NAME.pid names, workers included, and wait until it is gone
down() {
  local name=$1 pid whole
  if running "$name"; then
    pid=$(cat "$dir/$name.pid")
    # up makes each server the leader of a process group of its own; never signal a group that it does not lead
    whole=$pid
    [ "$(ps -o pgid= -p "$pid" | tr -d ' ')" != "$pid" ] || whole=-$pid
    kill -- "$whole"
    for _ in $(seq 30); do
      kill -0 -- "$whole" 2> /dev/null || break
      sleep 1
    done
    kill -KILL -- "$whole" 2> /dev/null || true
    echo "$name stopped"
  else
    echo "$name does not run"
  fi
  rm -f "$dir/$name.pid" "$dir/$name.command"
}
