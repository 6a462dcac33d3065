"""Rows that are wanted, without personal data: each of the others is listed with the reason."""

import json
from collections import Counter
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING

from ..engine import parquet, quoted
from ..languages import Languages
from ..problem import Problem
from ..tables import write_rows
from . import outputs
from .near import Near
from .personal import masked, masked_value
from .units import columns_of, rows_of

if TYPE_CHECKING:
    from .work import Run

_NESTED = ("list", "struct", "map", "array", "union", "json")
_STEP = 1_000


def run(task: "Run") -> dict:
    """Rows keep their types and their order."""
    wanted = task.recipe.parameters
    columns = task.engine.columns(f"FROM {parquet(task.files)}")
    texts = _texts(task, columns)
    judge = _Judge(task, wanted, columns, texts)
    reasons = judge.reasons()
    decided = _table(task, "decided", {"reason": "VARCHAR"}, ({"reason": reason} for reason in reasons))
    changed = [parquet(files) for files in ([judge.changed] if judge.changed else [])]
    source = _source(task, columns, texts, decided, changed)
    count = outputs.table(task, f"SELECT {', '.join(quoted(name) for name, _ in columns)} FROM {source} WHERE reason IS NULL", "data", "data")
    if count == 0:
        raise Problem("NothingMade", "No row is left.", reasons=dict(Counter(filter(None, reasons))))
    told = " || ' ' || ".join(f"coalesce({quoted(name)}::VARCHAR, '')" for name in texts) or "''"
    file = quoted("file") if task.recipe.kind == "documents" else "NULL::VARCHAR"
    outputs.rejected(task, f"SELECT {file} AS file, line, reason AS code, {told} AS text FROM {source} WHERE reason IS NOT NULL")
    return {"rows": count, "rejected": 0, "removed": dict(Counter(filter(None, reasons))), "masked": dict(judge.found)}


def _texts(task: "Run", columns: list) -> list[str]:
    """Columns that have text. Documents are judged by theirs alone: names and pages say nothing of it."""
    if task.recipe.kind == "documents":
        return ["text"]
    chosen = columns_of(task.recipe, task.engine, task.files)
    return [name for name, kind in columns if name in chosen and "VARCHAR" in str(kind).upper().replace("JSON", "VARCHAR")]


def _source(task: "Run", columns: list, texts: list[str], decided: list[Path], changed: list[str]) -> str:
    """As SQL: rows side by side with what was decided on them, in order."""
    names = [name for name, _ in columns]
    raw = ", ".join(f"{quoted(name)} AS v{n}" for n, name in enumerate(names))
    kinds = dict(columns)
    told = []
    for n, name in enumerate(names):
        new = f"c{texts.index(name)}" if changed and name in texts else ""
        cast = f"{new}::JSON::{kinds[name]}" if new and kinds[name].id in _NESTED else new
        told.append(f"{f'coalesce({cast}, v{n})' if new else f'v{n}'} AS {quoted(name)}")
    beside = "".join(f" POSITIONAL JOIN {one}" for one in [parquet(decided), *changed])
    line = "row_number() OVER () AS line, reason"
    return f"(SELECT {', '.join(told)}, {line} FROM (SELECT {raw} FROM {parquet(task.files)}){beside})"


def _table(task: "Run", name: str, columns: dict[str, str], rows) -> list[Path]:
    lines = task.scratch / f"{name}.jsonl"
    with lines.open("w", encoding="ascii") as out:
        for row in rows:
            out.write(json.dumps(row) + "\n")
    folder = task.scratch / name
    folder.mkdir()
    return write_rows(task.engine, lines, columns, folder, name)


class _Judge:
    """Goes through all rows once. `changed` has the texts that were masked, as a table with as many rows."""

    def __init__(self, task: "Run", wanted: dict, columns: list, texts: list[str]) -> None:
        self._task, self._wanted, self._texts = task, wanted, texts
        self._kinds = dict(columns)
        others = [name for name, _ in columns if name not in texts and task.recipe.kind != "documents"]
        rest = f"to_json([{', '.join(f'{quoted(name)}::VARCHAR' for name in others)}])::VARCHAR" if others else "''"
        told = [f"{self._as_text(name)} AS t{n}" for n, name in enumerate(texts)]
        self._source = f"(SELECT {', '.join([*told, f'{rest} AS rest'])} FROM {parquet(task.files)})"
        self._seen: set[bytes] = set()
        self._languages = Languages() if wanted["languages"] else None
        self._near = Near(task.scratch / "signatures") if wanted["duplicates"] == "Near" else None
        self.found: Counter[str] = Counter()
        self.changed: list[Path] = []

    def _as_text(self, name: str) -> str:
        return f"to_json({quoted(name)})::VARCHAR" if self._kinds[name].id in _NESTED else quoted(name)

    def reasons(self) -> list[str | None]:
        reasons: list[str | None] = []
        (of,) = self._task.engine.row(f"SELECT count(*) FROM {parquet(self._task.files)}")
        result = self._task.engine.connection.cursor().execute(f"FROM {self._source}")
        lines = (self._task.scratch / "changed.jsonl").open("w", encoding="ascii")
        with lines:
            while rows := result.fetchmany(_STEP):
                for *texts, rest in rows:
                    new = [self._masked(name, text) for name, text in zip(self._texts, texts, strict=True)]
                    reasons.append(self._reason(len(reasons), [text for text in new if text is not None], rest))
                    if self._wanted["maskPersonalData"]:
                        # An own key for what stays the same would cost a line each: null says it.
                        lines.write(json.dumps({f"c{n}": text for n, text in enumerate(new) if text != texts[n]}) + "\n")
                self._task.journal.progress("cleaning", len(reasons), of)
        if self.found:
            self.changed = self._written()
        for row in self._near.duplicates() if self._near else ():
            reasons[row] = "NearDuplicate"
        return reasons

    def _written(self) -> list[Path]:
        folder = self._task.scratch / "changed"
        folder.mkdir()
        columns = {f"c{n}": "VARCHAR" for n in range(len(self._texts))}
        return write_rows(self._task.engine, self._task.scratch / "changed.jsonl", columns, folder, "changed")

    def _masked(self, name: str, text: str | None) -> str | None:
        if text is None or not self._wanted["maskPersonalData"]:
            return text
        if self._kinds[name].id in _NESTED:
            return json.dumps(masked_value(json.loads(text), self.found), ensure_ascii=False)
        return masked(text, self.found)

    def _reason(self, row: int, texts: list[str], rest: str) -> str | None:
        told = "\n".join(texts)
        if len(told.strip()) < self._wanted["minChars"]:
            return "TooShort"
        if self._wanted["maxChars"] is not None and len(told) > self._wanted["maxChars"]:
            return "TooLarge"
        # Where the language is not clear, the row stays.
        if self._languages and self._languages.of(told) not in ("und", *self._wanted["languages"]):
            return "OtherLanguage"
        if self._wanted["duplicates"] != "None":
            digest = blake2b(json.dumps([texts, rest]).encode(), digest_size=16).digest()
            if digest in self._seen:
                return "Duplicate"
            self._seen.add(digest)
        if self._near:
            self._near.add(row, told)
        return None
