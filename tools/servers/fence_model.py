"""Make a copy of a model folder whose chat template and call parser use a fenced JSON block.

fence_model.py FROM TO TEMPLATE

The small model never writes `</tool_call>`, so that the stock parser finds no call; a fence it does write.
"""

import json
import os
import sys
from pathlib import Path

if len(sys.argv) != 4:
    raise SystemExit("usage: fence_model.py FROM TO TEMPLATE")
source, target, template = (Path(argument) for argument in sys.argv[1:4])
target.mkdir(parents=True, exist_ok=True)
for file in source.iterdir():
    copy = target / file.name
    if file.name == "tokenizer_config.json" or (copy.exists() and copy.samefile(file)):
        continue
    copy.unlink(missing_ok=True)
    os.link(file, copy)
config = json.loads((source / "tokenizer_config.json").read_text())
config["chat_template"] = template.read_text()
config["response_template"] = {
    "defaults": {"role": "assistant"},
    "start_anchor": "<|im_start|>assistant\n",
    "fields": {
        "tool_calls": {
            "open_pattern": r"\s*```json",
            "close": "```",
            "repeats": True,
            "content": "json",
            "transform": {"type": "function", "function": "{content}"},
        },
        "content": {"close_pattern": r"\s*(?:<\|im_end\|>|<\|endoftext\|>)", "content": "text"},
    },
}
(target / "tokenizer_config.json").write_text(json.dumps(config, ensure_ascii=False))
