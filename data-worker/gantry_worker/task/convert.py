"""A table in another format. Cells of text are those of all answers (`cells.py`); CSV is what `api/src/platform/csv.ts` writes."""

import csv
import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

from ..cells import plain
from ..engine import parquet, quoted
from ..problem import Problem
from . import outputs
from .units import cell_text, told_rows

if TYPE_CHECKING:
    from .work import Run

# Spreadsheets execute text that begins like this. Negative amounts stay numbers.
_NUMBER = re.compile(r"-?\d+(\.\d+)?", re.ASCII)
_FORMULA = re.compile(r"\s*[=+\-@＝＋－＠\t\r\n]")


def guarded(cell: str) -> str:
    return f"'{cell}" if _FORMULA.match(cell) and not _NUMBER.fullmatch(cell) else cell


def run(task: "Run") -> dict:
    """The chosen columns, or all."""
    names = [name for name, _ in task.engine.columns(f"FROM {parquet(task.files)}")]
    columns = task.recipe.parameters["columns"] or names
    if unknown := [name for name in columns if name not in names]:
        raise Problem("NoSuchColumn", f"The table has no column {unknown[0][:200]}.", column=unknown[0][:200])
    form = task.recipe.parameters["format"]
    if form == "Parquet":
        count = outputs.table(task, f"SELECT {', '.join(map(quoted, columns))} FROM {parquet(task.files)}", "data", "data")
    else:
        suffix, write = _WRITERS[form]
        path = outputs.version(task) / f"data.{suffix}"
        count = write(task, columns, path)
        task.journal.file("output", path, name=path.name, kind="data", rows=count)
    if count == 0:
        raise Problem("NothingMade", "The input has no rows.")
    return {"rows": count, "rejected": 0}


def _json_lines(task: "Run", columns: list[str], path: Path) -> int:
    count = 0
    with path.open("w", encoding="utf-8", newline="") as out:
        for count, row in _rows(task, columns):
            told = dict(zip(columns, map(plain, row), strict=True))
            out.write(json.dumps(told, ensure_ascii=False) + "\n")
    return count


def _csv(task: "Run", columns: list[str], path: Path) -> int:
    count = 0
    with path.open("w", encoding="utf-8-sig", newline="") as out:
        writer = csv.writer(out, lineterminator="\r\n")
        writer.writerow(list(map(guarded, columns)))
        for count, row in _rows(task, columns):
            writer.writerow([guarded(cell_text(value)) for value in row])
    return count


_WRITERS = {"JsonLines": ("jsonl", _json_lines), "Csv": ("csv", _csv)}


def _rows(task: "Run", columns: list[str]):
    """(how many with this one, row)."""
    return enumerate(told_rows(task, "writing", columns), 1)
