"""The command line: `python3 -m gantry_worker serve --root=/data --token-file=/token`, and `task --root=/gantry/task --ask=http://…`."""

import argparse
import os
import signal
import sys
from pathlib import Path

_LEAST_TOKEN = 32


def main() -> None:
    parser = argparse.ArgumentParser(prog="gantry_worker")
    commands = parser.add_subparsers(dest="command", required=True)
    serve = commands.add_parser("serve", help="serve one organisation")
    serve.add_argument("--root", required=True, help="the folder of its data: in, out and tmp are made in it")
    serve.add_argument("--token-file", required=True, help=f"what callers have to know, {_LEAST_TOKEN} characters or more")
    serve.add_argument("--listen", default="0.0.0.0:8092", help="address and port")
    serve.add_argument("--memory-mb", type=int, default=2_048, help="of the container; tasks run two at a time from 1920 on")
    serve.add_argument("--disk-mb", type=int, default=20 * 1_024, help="of all files, beyond which none arrives")
    task = commands.add_parser("task", help="make one dataset version of another")
    task.add_argument("--root", required=True, help="in it, in/recipe.json says what to do")
    task.add_argument("--ask", required=True, help="where models are asked: the agent's address on loopback")
    task.add_argument("--memory-mb", type=int, default=1_024, help="of the container; DuckDB takes up to a half")
    task.add_argument("--back-off", type=float, default=1, help="seconds before a call is repeated; they double")
    options = parser.parse_args()
    {"serve": _serve, "task": _task}[options.command](options)


def _serve(options: argparse.Namespace) -> None:
    from .server import Server

    token = Path(options.token_file).read_text().strip()
    if len(token) < _LEAST_TOKEN:
        sys.exit(f"--token-file: has {len(token)} characters, and needs {_LEAST_TOKEN}")
    host, _, port = options.listen.rpartition(":")
    server = Server((host, int(port)), options.root, token, options.memory_mb, options.disk_mb)
    # As process 1 of a container, nothing ends it otherwise. Children die with it.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    print(f"listens on {host}:{server.server_address[1]}", flush=True)
    server.serve_forever()


def _task(options: argparse.Namespace) -> None:
    from .task.run import main

    code = main(options.root, options.ask, options.memory_mb, options.back_off)
    # Threads that wait for a model would keep us for minutes.
    os._exit(code)


main()
