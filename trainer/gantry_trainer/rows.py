"""Rows of Parquet, read as a stream, as conversations by the rules of the preview. One that is none is counted, not trained on."""

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
from gantry_worker.problem import Problem
from gantry_worker.tune import rows
from gantry_worker.tune.rows import Messages, Unusable

from .limits import ROWS_AT_ONCE


def count_of(files: list[Path]) -> int:
    return sum(_opened(file).metadata.num_rows for file in files)


def rows_of(files: list[Path], columns: dict[str, str]) -> Iterator[dict]:
    """Of each row the values under the names that the recipe has for them."""
    return (row for _, row in numbered_rows(files, columns))


def numbered_rows(files: list[Path], columns: dict[str, str], wanted: Sequence[int] | None = None) -> Iterator[tuple[int, dict]]:
    """The same with its number, from 0 over all files. `wanted` are numbers in their order; None: all."""
    first = 0
    for file in files:
        table = _opened(file)
        for column in columns.values():
            if column not in table.schema_arrow.names:
                raise Problem("NoSuchColumn", f"The dataset has no column {column}.", column=column)
        try:
            for batch in table.iter_batches(ROWS_AT_ONCE, columns=sorted(set(columns.values()))):
                values = {name: batch.column(column) for name, column in columns.items()}
                for n in _within(wanted, first, batch.num_rows):
                    yield n, {name: column[n - first].as_py() for name, column in values.items()}
                first += batch.num_rows
        except (pa.ArrowException, OSError) as error:
            raise _broken(error) from error


def _within(wanted: Sequence[int] | None, first: int, count: int) -> Sequence[int]:
    if wanted is None:
        return range(first, first + count)
    return wanted[bisect_left(wanted, first) : bisect_left(wanted, first + count)]


def _opened(file: Path) -> pq.ParquetFile:
    try:
        return pq.ParquetFile(file)
    except (pa.ArrowException, OSError) as error:
        raise _broken(error) from error


def _broken(error: Exception) -> Problem:
    return Problem("TableBroken", f"The table cannot be read: {str(error).strip()[:500]}")


def conversation_of(row: dict) -> Messages | None:
    """Of SFT. None: it is no conversation with an answer."""
    return _usable(rows.conversation_of, row)


def preference_of(row: dict) -> tuple[Messages, str, str] | None:
    """Of DPO: what was asked, the better answer, the worse one."""
    return _usable(rows.preference_of, row)


def asked_of(row: dict) -> Messages | None:
    """What a model is asked: a prompt, or a list of messages, perhaps with a system message before it."""
    return _usable(rows.asked_of, row)


def _usable(read: Callable, row: dict):
    try:
        return read(row)
    except Unusable:
        return None
