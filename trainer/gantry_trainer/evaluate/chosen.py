"""Which rows of each task are asked, and what they are: read once, in a child that a broken table may end."""

import hashlib
import json
from collections.abc import Sequence

from gantry_worker.limits import REJECT_TEXT_CHARS, UNITS
from gantry_worker.places import Places
from gantry_worker.problem import Problem
from gantry_worker.task.texts import sound
from gantry_worker.tune.rows import text_of

from ..render import Clock, Say, in_child
from ..rows import asked_of, count_of, numbered_rows
from .limits import EXPECTED_BYTES, QUESTION_BYTES
from .recipe import Recipe, Task
from .store import Store


def chosen(rows: int, limit: int, seed: int) -> Sequence[int]:
    """Numbers from 0, in order. A higher limit only adds to them; the rule is the same in each version of Python."""
    found: set[int] = set()
    turn = 0
    while len(found) < limit:
        found.add(int.from_bytes(hashlib.sha256(f"{seed}/{turn}".encode()).digest()) % rows)
        turn += 1
    return sorted(found)


def load(recipe: Recipe, places: Places, store: Store) -> int:
    """Rows that were chosen, of all tasks."""
    files = [[places.existing(part, ("in",), "tasks.parts") for part in task.parts] for task in recipe.tasks]

    def work(clock: Clock, say: Say) -> None:
        counts = [count_of(some) for some in files]
        wanted = [min(count, recipe.limit or count) for count in counts]
        if sum(wanted) * len(recipe.subjects) > UNITS:
            raise Problem("TooManyUnits", f"More than {UNITS} questions are not asked in one evaluation: set a limit.", most=UNITS)
        for n, task in enumerate(recipe.tasks):
            numbers = None if wanted[n] == counts[n] else chosen(counts[n], wanted[n], recipe.seed)
            for number, row in numbered_rows(files[n], task.columns, numbers):
                clock.begins(number + 1)
                say({"task": n, "number": number + 1, **_read(task, row)})

    total = 0
    # No time is set: nothing of a row is run.
    for told in in_child(work, 0):
        store.add_row(**told)
        total += 1
    return total


def _read(task: Task, row: dict) -> dict:
    messages, expected = asked_of(row), text_of(row.get("answer"))
    if messages is None:
        return _unusable("NoPrompt", row["prompt"])
    told = json.dumps([{name: sound(text) for name, text in one.items()} for one in messages], ensure_ascii=False)
    if len(told.encode()) > QUESTION_BYTES:
        return _unusable("TooLong", told)
    if expected is None and not task.is_judged:
        return _unusable("NoAnswer", told)
    if expected and len(expected.encode("utf-8", "replace")) > EXPECTED_BYTES:
        return _unusable("TooLong", told)
    return {"messages": told, "expected": expected and sound(expected), "reason": None}


def _unusable(reason: str, text: object) -> dict:
    excerpt = text[:REJECT_TEXT_CHARS] if isinstance(text, str) else ""
    return {"messages": sound(excerpt), "expected": None, "reason": reason}
