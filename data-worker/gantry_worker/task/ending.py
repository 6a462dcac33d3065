"""How a task begins and fails: an empty folder, its files in JSON, its exit codes, and its last line where it fails."""

import json
import sys
from pathlib import Path

from ..limits import BODY_BYTES, SENTENCE_BYTES
from ..places import Places
from ..problem import Problem, bad_field
from .journal import Journal

# How a run ends that another try would not help (`contract/src/kinds/data-task.ts`); with 1 where it may.
EXITS = {
    **dict.fromkeys(("BadField", "NoSuchColumn", "TableBroken", "TooManyUnits"), 65),
    **dict.fromkeys(("NothingMade", "TokenBudgetSpent"), 66),
    "TooManyRejected": 67,
    "ModelRefused": 69,
}


def fail(journal: Journal, problem: Problem, exits: dict[str, int]) -> int:
    """Says the last line; the exit code."""
    # The journal counts bytes.
    sentence = problem.sentence.encode("utf-8", "replace")[:SENTENCE_BYTES].decode(errors="ignore")
    journal.say("failed", code=problem.code, sentence=sentence, values=problem.values)
    # The end of the log is what the task's status quotes.
    print(sentence, file=sys.stderr, flush=True)
    return exits.get(problem.code, 1)


def sweep(places: Places) -> None:
    """What a killed run left has no place in the journal of this one."""
    for folder in ("out", "tmp"):
        for left in (places.root / folder).iterdir():
            places.remove(left)


def read_json(path: Path) -> object:
    """Of a file that may name a million units."""
    if path.stat().st_size > 64 * BODY_BYTES:
        raise bad_field(path.name, "is too large")
    try:
        return json.loads(path.read_bytes())
    except (ValueError, RecursionError) as error:
        raise bad_field(path.name, "must be JSON") from error
