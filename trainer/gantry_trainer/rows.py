"""Rows of Parquet as conversations, read as a stream. A row that is no conversation is counted, not trained on."""

import json
import math
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
from gantry_worker.problem import Problem

from .limits import MESSAGES, ROW_CHARS, ROWS_AT_ONCE

_ROLES = ("system", "user", "assistant", "tool")

Messages = list[dict[str, str]]


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
    if "messages" in row:
        messages = _messages(row["messages"])
        return messages if messages and any(one["role"] == "assistant" for one in messages) else None
    asked, answer = asked_of(row), text_of(row["answer"])
    return [*asked, {"role": "assistant", "content": answer}] if asked and answer else None


def preference_of(row: dict) -> tuple[Messages, str, str] | None:
    """Of DPO: what was asked, the better answer, the worse one."""
    asked, chosen, rejected = asked_of(row), _answer(row["chosen"]), _answer(row["rejected"])
    return (asked, chosen, rejected) if asked and chosen and rejected and chosen != rejected else None


def asked_of(row: dict) -> Messages | None:
    """What a model is asked: a prompt, or a list of messages, perhaps with a system message before it."""
    messages = _messages(row["prompt"])
    if messages is None:
        prompt = text_of(row["prompt"])
        messages = [{"role": "user", "content": prompt}] if prompt else None
    system = text_of(row.get("system"))
    return [{"role": "system", "content": system}, *messages] if messages and system else messages


def _answer(value: object) -> str | None:
    """Some datasets have it as the last message of a conversation."""
    messages = _messages(value)
    return messages[-1]["content"] if messages else text_of(value)


def _messages(value: object) -> Messages | None:
    """A list of messages, perhaps as JSON."""
    if isinstance(value, str) and value.lstrip().startswith("["):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            return None
    if not (isinstance(value, list) and 1 <= len(value) <= MESSAGES):
        return None
    told = [{"role": one.get("role"), "content": one.get("content")} for one in value if isinstance(one, dict)]
    is_whole = len(told) == len(value) and all(one["role"] in _ROLES and isinstance(one["content"], str) for one in told)
    return told if is_whole and sum(len(one["content"]) for one in told) <= ROW_CHARS else None


def text_of(value: object) -> str | None:
    """A cell as text. None: it is empty, or neither text nor a finite number."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    if isinstance(value, float) and not math.isfinite(value):
        return None
    told = str(value)
    return told if told.strip() and len(told) <= ROW_CHARS else None
