"""Files of the version that a task makes: told in the journal once they are complete."""

import json
import sqlite3
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import numpy

from ..engine import literal, parquet
from ..limits import REJECT_TEXT_CHARS, ROW_GROUP_BYTES
from ..tables import write_parts, write_rows
from .texts import words as words_of

if TYPE_CHECKING:
    from .work import Run

REASONS = {
    "TooLong": "has more text than one request to a model may have",
    "ModelRefusedText": "was refused by the model",
    "ModelBusy": "found the model busy, again and again",
    "ModelFailed": "found the model failing, again and again",
    "AnswerNotInShape": "got an answer that is not in the wanted shape, twice",
    "AnswerCut": "got an answer that was cut at its greatest length, twice",
    "VectorNotFinite": "got a vector with values that are no numbers",
    "VectorZero": "got a vector without a direction",
    "VectorOfOtherLength": "got a vector of another length than the others",
    "Duplicate": "is a duplicate of an earlier row",
    "NearDuplicate": "is nearly a duplicate of an earlier row",
    "TooShort": "has fewer characters than wanted",
    "TooLarge": "has more characters than wanted",
    "OtherLanguage": "is in a language that is not wanted",
}
_AT_ONCE = 1_024
# How a file of words is made, and how a search knows it.
WORDS = "CREATE VIRTUAL TABLE words USING fts5(text, content = '', detail = none, tokenize = \"unicode61 remove_diacritics 0\")"


def version(task: "Run") -> Path:
    folder = task.places.root / "out" / "version"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def told(task: "Run", files: list[Path], kind: str) -> int:
    """Names them; the rows of all."""
    total = 0
    for file in files:
        (rows,) = task.engine.row(f"SELECT num_rows FROM parquet_file_metadata({literal(str(file))})")
        task.journal.file("output", file, name=file.name, kind=kind, rows=rows)
        total += rows
    return total


def table(task: "Run", sql: str, name: str, kind: str, group_bytes: int = ROW_GROUP_BYTES) -> int:
    """Rows of a query, in parts of sound sizes."""
    files = write_parts(task.engine, f"({sql})", version(task), name=name, group_bytes=group_bytes)
    if not files:
        # Without rows, DuckDB writes no parts.
        files = [version(task) / f"{name}-00000.parquet"]
        task.engine.rows(f"COPY ({sql}) TO {literal(str(files[0]))} (FORMAT parquet)")
    return told(task, files, kind)


def lines(task: "Run", rows: Iterable[dict], columns: dict[str, str], name: str, kind: str) -> int:
    """Rows of our own making."""
    path = task.scratch / f"{name}.jsonl"
    with path.open("w", encoding="ascii") as out:
        for row in rows:
            out.write(json.dumps(row) + "\n")
    return told(task, write_rows(task.engine, path, columns, version(task), name), kind)


def rejected(task: "Run", sql: str) -> int:
    """{file, line, code, text} become what arrivals have: file, line, code, reason, text."""
    reasons = ", ".join(f"{literal(code)}: {literal(reason)}" for code, reason in REASONS.items())
    source = f"(SELECT file, line, code, MAP {{{reasons}}}[code] AS reason, left(text, {REJECT_TEXT_CHARS}) AS text FROM ({sql}))"
    (count,) = task.engine.row(f"SELECT count(*) FROM {source}")
    if count:
        folder = task.places.root / "out" / "rejected"
        folder.mkdir(parents=True, exist_ok=True)
        for file in write_parts(task.engine, source, folder, name="rejected"):
            (rows,) = task.engine.row(f"SELECT num_rows FROM parquet_file_metadata({literal(str(file))})")
            task.journal.file("rejected", file, rows=rows)
    return count


def rejected_lines(task: "Run", rows: list[dict], columns: dict[str, str]) -> None:
    """The same of rows of our own making."""
    path = task.scratch / "rejected.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    known = ", ".join(f"{name}: {literal(kind)}" for name, kind in columns.items())
    if rows:
        rejected(task, f"SELECT * FROM read_json({literal(str(path))}, format = 'newline_delimited', columns = {{{known}}})")


def vectors(task: "Run", held: list[Path]) -> None:
    """A file of NumPy's: its head has the shape; float32, little-endian, a row for each chunk."""
    count, size = task.engine.row(f"SELECT count(*), min(octet_length(vector)) FROM {parquet(held)}")
    path = version(task) / "vectors.npy"
    with path.open("wb") as out:
        head = {"descr": "<f4", "fortran_order": False, "shape": (count, size // 4)}
        numpy.lib.format.write_array_header_1_0(out, head)
        result = task.engine.connection.cursor().execute(f"SELECT vector FROM {parquet(held)}")
        while rows := result.fetchmany(_AT_ONCE):
            out.writelines(vector for (vector,) in rows)
    task.journal.file("output", path, name=path.name, kind="vectors", rows=count, dimensions=size // 4)


def words(task: "Run", held: list[Path]) -> None:
    """Full text, for SQLite: words and pairs of ideographs of each chunk, by our rule. The text itself is not in it."""
    path = version(task) / "words.sqlite"
    with closing(sqlite3.connect(path)) as database:
        database.executescript(
            "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;"
            f"{WORDS};"
        )
        result = task.engine.connection.cursor().execute(f"SELECT text FROM {parquet(held)}")
        number = 0
        while rows := result.fetchmany(_AT_ONCE):
            said = ((number + n, " ".join(words_of(text))) for n, (text,) in enumerate(rows))
            database.executemany("INSERT INTO words (rowid, text) VALUES (?, ?)", said)
            number += len(rows)
        database.execute("INSERT INTO words (words) VALUES ('optimize')")
        database.commit()
    task.journal.file("output", path, name=path.name, kind="words", rows=number)
