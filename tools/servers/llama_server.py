"""Serve a GGUF file by llama.cpp's own HTTP server (inside xllamacpp), on loopback, until killed.

llama_server.py --model FILE --port N --alias NAME [--template FILE] [--threads N]
"""

import argparse
import time
from pathlib import Path

import xllamacpp

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--model", required=True)
parser.add_argument("--port", type=int, required=True)
parser.add_argument("--alias", required=True)
parser.add_argument("--template")
parser.add_argument("--threads", type=int, default=1)  # more threads than idle cores make it many times slower
given = parser.parse_args()
if not Path(given.model).is_file():
    parser.error(f"there is no model at {given.model}; tools/servers/fetch_model.sh fetches one")

params = xllamacpp.CommonParams()
params.model.path = given.model
params.n_ctx = 8192
params.n_parallel = 1
params.hostnames = ["127.0.0.1"]
params.port = given.port
params.use_jinja = True
params.cpuparams.n_threads = given.threads
params.model_alias = {given.alias}
if given.template:
    params.chat_template = Path(given.template).read_text()
server = xllamacpp.Server(params)
print("listening on", server.listening_address, flush=True)
while True:
    time.sleep(3600)
