#!/usr/bin/env bash
# Offers the recordings and reports of a night as a pull request: one branch, written anew each night, one request.
#
#   BRANCH   its name
#   INTO     the branch it is to be merged into
set -euo pipefail

result=runs/result
git switch --quiet --force-create "$BRANCH"
rm -rf cassettes
cp -R "$result/cassettes" cassettes
mkdir -p reports
cp -R "$result/reports/." reports/
git add --all -- cassettes reports
if git diff --cached --quiet; then
  echo "recordings and reports are as committed"
  exit
fi
git -c user.name="github-actions[bot]" -c user.email="41898282+github-actions[bot]@users.noreply.github.com" \
  commit --quiet --message "Recordings and reports of the night"
git push --quiet --force origin "HEAD:refs/heads/$BRANCH"

body=$(mktemp)
trap 'rm -f "$body"' EXIT
{ cat "$result/asked.md"; echo; cat "$result/diff.md"; } | tools/nightly/first.sh 60000 > "$body"
number=$(gh pr list --head "$BRANCH" --state open --json number --jq '.[].number')
if [ -n "$number" ]; then
  gh pr edit "$number" --body-file "$body"
else
  gh pr create --head "$BRANCH" --base "$INTO" --title "Recordings and reports of the night" --body-file "$body"
fi
