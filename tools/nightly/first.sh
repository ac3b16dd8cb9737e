#!/usr/bin/env bash
# Passes whole lines on, at most so many bytes: GitHub takes no step summary over 1 MiB, and no text over 64 KiB.
set -euo pipefail

LC_ALL=C awk -v most="$1" '
  { size += length($0) + 1 }
  size > most { if (!cut) print "\n(The rest is cut; diff.md in the artefact of the run has it.)"; cut = 1 }
  !cut { print }
'
