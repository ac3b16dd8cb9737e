"""The script that sends a recorded request again."""

from __future__ import annotations

from typing import Final

SCRIPT: Final = """\
#!/bin/sh
# Sends the recorded request again and prints the response with its headers, as it arrives.
#
#   BASE_URL=https://api.example.com/v1 API_KEY=... sh reproduce.sh > again.txt
#   conformance inspect again.txt --request request.json
#
# The key is read from the environment and handed over on standard input, so that no process list shows it.
set -eu
: "${BASE_URL:?is the address of the API, for example https://api.example.com/v1}"
folder=$(dirname -- "$0")
if [ -n "${API_KEY:-}" ]; then
  printf 'Authorization: Bearer %s\\n' "$API_KEY"
fi | curl -iN --silent --show-error \\
  --header @- \\
  --header 'Content-Type: application/json' \\
  --header 'Accept: @ACCEPT@' \\
  --data-binary "@$folder/request.json" \\
  "${BASE_URL%/}/chat/completions"
"""


def script(*, stream: bool) -> str:
    """A POSIX shell script that posts `request.json`, which lies beside it, and shows the raw response.

    Nothing of the request stands in the script, so that no model name or text can break its quoting.

    Args:
        stream: whether a stream was asked for.
    """
    return SCRIPT.replace("@ACCEPT@", "text/event-stream" if stream else "application/json")
