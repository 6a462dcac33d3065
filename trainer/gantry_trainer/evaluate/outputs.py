"""The files of an evaluation: each example with its score, and what has none, with the reason."""

import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
from gantry_worker.limits import REJECT_TEXT_CHARS
from gantry_worker.task.journal import Journal

from .limits import EXAMPLE_CHARS, GROUP_CHARS, GROUP_ROWS

_TEXT, _WHOLE, _REAL = pa.string(), pa.int64(), pa.float64()
_WHERE = [("task", _TEXT), ("row", _WHOLE), ("subject", _TEXT)]
_EXAMPLES = pa.schema(
    [
        *_WHERE,
        *((name, _TEXT) for name in ("prompt", "expected", "answer")),
        *(("score", _REAL), ("is_right", pa.bool_()), ("ms", _REAL)),
        *(("prompt_tokens", _WHOLE), ("completion_tokens", _WHOLE), ("error", _TEXT)),
    ]
)
_REJECTED = pa.schema([*_WHERE, ("code", _TEXT), ("reason", _TEXT), ("text", _TEXT)])

REASONS = {
    "NoPrompt": "has no prompt that is text or a list of messages",
    "NoAnswer": "has no answer that is text, to compare with",
    "TooLong": "has more text than one request to a model may have",
    "ModelRefusedText": "was refused by the model, or answered with more than can be taken",
    "ModelBusy": "found the model busy, again and again",
    "ModelFailed": "found the model failing, again and again",
    "AnswerNotInShape": "got an answer that is not in the wanted shape",
    "AnswerTooLong": "got an answer that is longer than can be kept",
    "AnswerCut": "got a judgement that was cut at its greatest length, twice",
    "BaselineFailed": "has no answer of the baseline to be compared with",
}


class File:
    """A table that is written as its rows come, in groups that a reader takes as a whole."""

    def __init__(self, path: Path, schema: pa.Schema) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._path, self._schema = path, schema
        self._writer = pq.ParquetWriter(path, schema, compression="zstd")
        self._rows: list[dict] = []
        self._chars = 0
        self.count = 0

    def add(self, row: dict) -> None:
        self._rows.append(row)
        self._chars += sum(len(value) for value in row.values() if isinstance(value, str))
        self.count += 1
        if len(self._rows) >= GROUP_ROWS or self._chars >= GROUP_CHARS:
            self._flush()

    def _flush(self) -> None:
        if self._rows:
            self._writer.write_table(pa.Table.from_pylist(self._rows, self._schema))
        self._rows, self._chars = [], 0

    def tell(self, journal: Journal, kind: str, **values: object) -> None:
        """Once it is complete."""
        self._flush()
        self._writer.close()
        journal.file(kind, self._path, rows=self.count, **values)


def examples(folder: Path) -> File:
    return File(folder / "examples.parquet", _EXAMPLES)


def rejected(folder: Path) -> File:
    return File(folder / "rejected.parquet", _REJECTED)


def rejection(where: dict, code: str, text: str) -> dict:
    return {**where, "code": code, "reason": REASONS.get(code, code), "text": text[:REJECT_TEXT_CHARS]}


def prompt_of(messages: str) -> str:
    """What was asked, as text where it is one message."""
    told = json.loads(messages)
    return cut(told[0]["content"] if len(told) == 1 else messages)


def cut(text: str) -> str:
    return text if len(text) <= EXAMPLE_CHARS else text[: EXAMPLE_CHARS - 1] + "…"
