#!/usr/bin/env bash
# Puts a night together: runs/night -> runs/result, and prints what changed and what is found.
# Exit code: 0 nothing unexpected; 1 something is; 5 nothing was measured.
#
#   BASE     the git revision with the reports that count as known; HEAD if not given
#   BRANCH   a git revision whose history is kept as well, if there is one: that of the pull request still open
#
# runs/result/
#   asked.md                 who was asked, and who was not; asked, failed: the names
#   night.json               the matrix: this night, and the committed recordings of those that were not asked
#   diff.md diff.json        what changed since BASE
#   issues/                  a file for each changed cell; settled: the keys of cells that are in order
#   summary.md               the step summary
#   site/ site/badges/       the site
#   cassettes/ reports/      as they would be committed
set -euo pipefail

base=${BASE:-HEAD}
result=runs/result
conformance=.venv/bin/conformance
red=0

# Run a command that ends with 1 if something is unexpected, and with 5 if there is nothing to judge.
verdict() {
  local code=0
  "$@" || code=$?
  case $code in
    0 | 5) ;;
    1) red=1 ;;
    *) exit "$code" ;;
  esac
}

# The same where the verdict is known already.
view() {
  local before=$red
  verdict "$@"
  red=$before
}

rm -rf "$result"
mkdir -p "$result/reports" "$result/issues"
mapfile -t asked < <(.venv/bin/python tools/nightly/night.py collect | grep . || true)
if [ ! -f "$result/asked.md" ]; then
  exit 4 # said already
fi
cat "$result/asked.md"
if [ "${#asked[@]}" -eq 0 ]; then
  if [ "${GITHUB_ACTIONS-}" = true ]; then
    echo "::error title=nothing was measured::$(tail -n 1 "$result/asked.md")"
    cat "$result/asked.md" >> "$GITHUB_STEP_SUMMARY"
  fi
  exit 5
fi
if [ -s "$result/failed" ]; then
  red=1
fi

known=()
if [ -f runs/night/_committed/run.jsonl ]; then
  known=(runs/night/_committed/run.jsonl)
fi
beside=()
if [ -f reports/observations.jsonl ]; then
  beside=(--observations reports/observations.jsonl)
fi

history=$result/reports/history.jsonl
for revision in "$base" ${BRANCH:+"$BRANCH"}; do
  git show "$revision:reports/history.jsonl" >> "$history" 2> /dev/null || true # the lines of several are a history
done
if [ ! -s "$history" ]; then
  rm -f "$history"
fi
view "$conformance" history add "${known[@]}" "${asked[@]}" --history "$history" > /dev/null
past=()
if [ -f "$history" ]; then
  past=(--history "$history")
fi
beside+=("${past[@]}")

view "$conformance" report "${known[@]}" "${asked[@]}" "${beside[@]}" -f json > "$result/night.json"
if git cat-file -e "$base:reports/quirks.json" 2> /dev/null; then
  verdict "$conformance" diff "$base" "$result/night.json" "${past[@]}"
  for form in markdown json; do
    view "$conformance" diff "$base" "$result/night.json" "${past[@]}" -f "$form" -o "$result" > /dev/null
  done
  view "$conformance" diff "$base" "$result/night.json" "${past[@]}" -f issues -o "$result/issues" > /dev/null
else
  echo "No reports are committed yet, so that there is nothing to compare with." | tee "$result/diff.md"
fi
echo
verdict "$conformance" report "${known[@]}" "${asked[@]}" "${beside[@]}"
.venv/bin/python tools/nightly/night.py settled "$result/night.json" > "$result/settled"

view "$conformance" report "${known[@]}" "${asked[@]}" "${beside[@]}" -f step-summary > "$result/summary.md"
view "$conformance" run --replay --cassettes "$result/cassettes" "${beside[@]}" -o "$result/reports" > /dev/null

# what follows are views: should one of them fail, issues and pull request are written all the same
echo "ready=true" >> "${GITHUB_OUTPUT:-/dev/null}"
if [ -n "${GITHUB_STEP_SUMMARY-}" ]; then
  { cat "$result/asked.md"; echo; cat "$result/diff.md"; } | tools/nightly/first.sh 900000 >> "$GITHUB_STEP_SUMMARY"
fi
view "$conformance" report "${known[@]}" "${asked[@]}" "${beside[@]}" -f html -o "$result/site" > /dev/null
view "$conformance" report "${known[@]}" "${asked[@]}" "${beside[@]}" -f badges -o "$result/site/badges" > /dev/null
echo "site=true" >> "${GITHUB_OUTPUT:-/dev/null}"
exit "$red"
