"""Parts as files: those of earlier runs are taken in, new ones are named in the journal once they are complete. How a file is written, and
when it can be read, subclasses know."""

import os
import re
from pathlib import Path

from ..limits import ASKED_BYTES, REJECT_TEXT_CHARS, UNITS
from ..places import Places
from ..problem import Problem, bad_field
from .journal import Journal, sha256_of
from .unit import Result

# Of each row, before those of the type. `reason` and `excerpt` are of a unit that failed, which has one row.
FRAME = {"unit": "VARCHAR", "at": "BIGINT", "state": "VARCHAR", "reason": "VARCHAR", "excerpt": "VARCHAR"}
_KEY = re.compile("[0-9a-f]{64}")


class Kept:
    """The parts of a task, by unit."""

    def __init__(self, places: Places, journal: Journal) -> None:
        self._places, self._journal = places, journal
        self._scratch = places.root / "tmp"
        self.files: list[Path] = []
        # By unit, the number of the file that has it.
        self.holders: dict[str, int] = {}

    def is_sound(self, path: Path) -> bool:
        """Whether a part of an earlier run can be read, and has the columns that this one's have."""
        raise NotImplementedError

    def make(self, results: list[Result], to: Path) -> None:
        """Writes a part; its rows are `rows_of` each result."""
        raise NotImplementedError

    def take_kept(self, done: object, field: str = "done.json") -> None:
        """A list of {path, units}. A part that cannot be read is as if it had never been: its units are done again."""
        if not (isinstance(done, list) and all(isinstance(part, dict) and isinstance(part.get("units"), list) for part in done)):
            raise bad_field(field, "must be a list of objects with path and units")
        for part in done:
            path = self._places.existing(part.get("path"), ("in",), f"{field}.path")
            keys = [key for key in part["units"] if isinstance(key, str) and _KEY.fullmatch(key)]
            if self.is_sound(path):
                self._add(path, keys)

    def _add(self, path: Path, keys: list[str]) -> None:
        for key in keys:
            self.holders.setdefault(key, len(self.files))
        if len(self.holders) > 2 * UNITS:
            raise Problem("TooManyUnits", f"More than {UNITS} units are not done in one task.", most=UNITS)
        self.files.append(path)

    def write(self, results: list[Result]) -> None:
        """Complete, or not there; and named in the journal only then."""
        made = self._scratch / "part.parquet"
        self.make(results, made)
        folder = self._places.root / "out" / "parts"
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"{len(self.files):06}-{sha256_of(made)[:16]}.parquet"
        # The agent removes a part once it is kept elsewhere; the end of the run needs it still.
        own = self._scratch / path.name
        os.link(made, own)
        os.replace(made, path)
        self._add(own, [result.unit.key for result in results])
        self._journal.file("part", path, units=[result.told for result in results])


def rows_of(result: Result):
    """The rows of a unit in its part."""
    frame = {"unit": result.unit.key, "at": 0, "state": result.state}
    if result.state == "failed":
        excerpt = result.unit.text[:ASKED_BYTES][:REJECT_TEXT_CHARS]
        yield {**frame, "reason": result.reason, "excerpt": excerpt}
    for at, row in enumerate(result.rows):
        yield {**frame, "at": at, **row}
