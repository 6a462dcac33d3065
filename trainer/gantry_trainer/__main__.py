"""The command line: `python3 -m gantry_trainer rehearse|train|preview|evaluate --root=/gantry/task`."""

import argparse
import os
import sys

# Nothing is asked of any hub, and nobody is told anything.
os.environ.update(
    HF_HUB_OFFLINE="1",
    TRANSFORMERS_OFFLINE="1",
    HF_DATASETS_OFFLINE="1",
    HF_HUB_DISABLE_TELEMETRY="1",
    TRL_EXPERIMENTAL_SILENCE="1",
    TOKENIZERS_PARALLELISM="false",
    TRANSFORMERS_NO_ADVISORY_WARNINGS="1",
    # Debian builds torch without it.
    USE_LIBUV="0",
)


def main() -> int:
    parser = argparse.ArgumentParser(prog="gantry_trainer")
    parser.add_argument("command", choices=("rehearse", "train", "preview", "evaluate"))
    parser.add_argument("--root", required=True, help="in it, in/recipe.json says what to do")
    parser.add_argument("--ask", default="http://127.0.0.1:8089", help="of evaluate: where models are asked, the agent's address on loopback")
    parser.add_argument("--back-off", type=float, default=1, help="of evaluate: seconds before a call is repeated; they double")
    options = parser.parse_args()
    # Caches of libraries have no other place: the image is read-only.
    scratch = os.path.join(options.root, "tmp", "home")
    os.environ.update(HOME=scratch, HF_HOME=scratch, XDG_CACHE_HOME=scratch, TORCHINDUCTOR_CACHE_DIR=scratch)
    if options.command == "evaluate":
        from .evaluate.run import main as evaluate

        return evaluate(options.root, options.ask, options.back_off)
    from gantry_worker.task.journal import DESCRIPTOR

    from .run import rehearse, show, train

    if options.command == "preview":
        return show(options.root)
    if options.command == "rehearse":
        return rehearse(options.root, os.open(os.devnull, os.O_WRONLY))
    return train(options.root, DESCRIPTOR)


code = main()
sys.stdout.flush()
# Threads of libraries would keep us.
os._exit(code)
