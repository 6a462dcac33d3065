"""Parts of an evaluation: answers and judgements, one row for each unit."""

import math
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
from gantry_worker.places import Places
from gantry_worker.task.journal import Journal
from gantry_worker.task.kept import FRAME, Kept, rows_of
from gantry_worker.task.unit import Result

from .limits import PART_BYTES
from .store import Done, Store

_KINDS = {"VARCHAR": pa.string(), "BIGINT": pa.int64(), "DOUBLE": pa.float64()}
_COLUMNS = {"answer": "VARCHAR", "value": "DOUBLE", "ms": "DOUBLE", "prompt_tokens": "BIGINT", "completion_tokens": "BIGINT"}
_SCHEMA = pa.schema([(name, _KINDS[kind]) for name, kind in {**FRAME, **_COLUMNS}.items()])
# May pass: what failed for one of them is asked again by the next run.
PASSING = ("ModelBusy", "ModelFailed")
_MOST_TOKENS = 10**9


class Answers(Kept):
    """What it takes or writes, the store knows."""

    def __init__(self, places: Places, journal: Journal, store: Store) -> None:
        super().__init__(places, journal)
        self._store = store

    def is_sound(self, path: Path) -> bool:
        try:
            return pq.ParquetFile(path).schema_arrow.equals(_SCHEMA) and pq.read_table(path) is not None
        except (pa.ArrowException, OSError):
            return False

    def make(self, results: list[Result], to: Path) -> None:
        rows = [row for result in results for row in rows_of(result)]
        pq.write_table(pa.Table.from_pylist(rows, _SCHEMA), to, compression="zstd")

    def take_kept(self, done: object, field: str = "done") -> None:
        super().take_kept(done, field)
        for number, path in enumerate(self.files):
            for row in pq.read_table(path).to_pylist():
                if self.holders.get(row["unit"]) == number and (told := _done(row)):
                    self._store.put(row["unit"], told)

    def take(self, results: list[Result]) -> None:
        """In parts of sound sizes."""
        part, size = [], 0
        for result in results:
            self._store.put(result.unit.key, Done(**{**_NOTHING, **(result.rows[0] if result.rows else {"reason": result.reason})}))
            if result.reason in PASSING:
                continue
            if part and size + _size(result) > PART_BYTES:
                self.write(part)
                part, size = [], 0
            part.append(result)
            size += _size(result)
        if part:
            self.write(part)


_NOTHING = dict.fromkeys(("reason", *_COLUMNS))


def _size(result: Result) -> int:
    return sum(len(row["answer"].encode()) for row in result.rows)


def _done(row: dict) -> Done | None:
    """None: it is not as this program writes it, and so its unit is done again."""
    if row["state"] == "failed":
        return Done(**{**_NOTHING, "reason": row["reason"]}) if row["reason"] else None
    told = Done(row["reason"], row["answer"], row["value"], row["ms"], row["prompt_tokens"], row["completion_tokens"])
    numbers = ((told.value, 1), (told.ms, math.inf), (told.prompt_tokens, _MOST_TOKENS), (told.completion_tokens, _MOST_TOKENS))
    is_sound = row["state"] == "done" and told.answer is not None and told.reason is None
    return told if is_sound and all(value is None or 0 <= value <= most for value, most in numbers) else None
