"""One task from its recipe to its last line: `done` or `failed`. `python3 -m gantry_worker task --root=/gantry/task --ask=http://127.0.0.1:8089`."""

import shutil
from pathlib import Path

import duckdb

from ..engine import Engine
from ..limits import GIB, TaskLimits
from ..places import Places
from ..problem import NO_ROOM, Problem, disk_full, too_much_memory
from . import clean, convert, headings, split, work
from .ending import EXITS, fail, read_json, sweep
from .journal import DESCRIPTOR, Journal
from .model import Budget, Model
from .recipe import recipe_of

_RUNS = {"Clean": clean.run, "Split": split.run, "Convert": convert.run, "QaPairs": headings.run}


def main(root: str, ask: str, memory_mb: int, back_off: float, descriptor: int = DESCRIPTOR) -> int:
    """The exit code. A SIGKILL at any time loses what is in no part, and nothing else."""
    places = Places(root)
    journal = Journal(places.root, descriptor)
    try:
        journal.say("done", **_run(places, journal, ask, memory_mb, back_off))
        return 0
    except Problem as problem:
        told = problem
    except OSError as error:
        if error.errno not in NO_ROOM:
            raise
        told = disk_full()
    except (MemoryError, duckdb.OutOfMemoryException):
        told = too_much_memory(memory_mb)
    except duckdb.Error as error:
        told = Problem("TableBroken", f"The table cannot be read: {str(error).replace(f'{places.root}/', '').strip()[:500]}")
    return fail(journal, told, EXITS)


def _run(places: Places, journal: Journal, ask: str, memory_mb: int, back_off: float) -> dict:
    sweep(places)
    recipe = recipe_of(read_json(places.root / "in" / "recipe.json"))
    files = [places.existing(path, ("in",), "input.parts.path") for path in recipe.parts]
    limits = TaskLimits(0, 0, 24 * GIB, engine_mb=memory_mb // 2)
    engine = Engine(limits, places, _folder(places.root / "tmp" / "engine"))
    model = Model(ask, Budget(recipe.max_tokens, recipe.tokens_spent), back_off)
    task = work.Run(recipe, engine, places, journal, model, files)
    try:
        return work.run(task, _done(places)) if recipe.asks else _RUNS[recipe.type](task)
    finally:
        shutil.rmtree(places.root / "tmp", ignore_errors=True)


def _folder(path: Path) -> Path:
    path.mkdir(exist_ok=True)
    return path


def _done(places: Places) -> object:
    path = places.root / "in" / "done.json"
    return read_json(path) if path.exists() else []
