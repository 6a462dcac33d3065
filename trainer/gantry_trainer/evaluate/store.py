"""What a run knows, on disk: rows of the tasks, and what became of units. A scratch file: parts are what lasts."""

import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_PAGE = 64
_TABLES = """
PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;
CREATE TABLE rows (id INTEGER PRIMARY KEY, task INTEGER, number INTEGER, messages TEXT, expected TEXT, reason TEXT);
CREATE TABLE needs (id INTEGER, subject INTEGER, turn INTEGER, unit TEXT, PRIMARY KEY (id, subject, turn)) WITHOUT ROWID;
CREATE TABLE units (unit TEXT PRIMARY KEY, reason TEXT, answer TEXT, value REAL, ms REAL, prompt_tokens INTEGER, completion_tokens INTEGER);
CREATE INDEX needed ON needs (unit);
"""


@dataclass(frozen=True)
class Row:
    """`messages` are JSON, or the beginning of what cannot be used, for `reason`. `number` is from 1, in the task's table."""

    id: int
    task: int
    number: int
    messages: str
    expected: str | None
    reason: str | None


@dataclass(frozen=True)
class Done:
    """A unit that has an answer, or a `reason` why it has none."""

    reason: str | None
    answer: str | None
    value: float | None
    ms: float | None
    prompt_tokens: int | None
    completion_tokens: int | None


class Store:
    def __init__(self, file: Path) -> None:
        self._sql = sqlite3.connect(file, isolation_level=None)
        self._sql.executescript(_TABLES)

    def add_row(self, task: int, number: int, messages: str, expected: str | None, reason: str | None) -> None:
        self._sql.execute("INSERT INTO rows (task, number, messages, expected, reason) VALUES (?, ?, ?, ?, ?)", (task, number, messages, expected, reason))

    def rows(self) -> Iterator[Row]:
        """In the order of tasks and rows; others may write meanwhile."""
        last = 0
        while page := self._sql.execute("SELECT * FROM rows WHERE id > ? ORDER BY id LIMIT ?", (last, _PAGE)).fetchall():
            yield from (Row(*one) for one in page)
            last = page[-1][0]

    def unusable(self) -> int:
        return self._sql.execute("SELECT count(*) FROM rows WHERE reason IS NOT NULL").fetchone()[0]

    def need(self, row: Row, subject: int, turn: int, unit: str) -> None:
        """The score of a row for a subject needs this unit: turn 0 is the answer, those from 1 on are judgements."""
        self._sql.execute("INSERT INTO needs VALUES (?, ?, ?, ?)", (row.id, subject, turn, unit))

    def needed(self, row: Row, subject: int) -> list[str]:
        """By turn."""
        found = self._sql.execute("SELECT unit FROM needs WHERE id = ? AND subject = ? ORDER BY turn", (row.id, subject))
        return [unit for (unit,) in found]

    def count(self, is_judgement: bool) -> tuple[int, int]:
        """Of all units of the step: how many there are, and are known."""
        told = "SELECT count(DISTINCT n.unit), count(DISTINCT u.unit) FROM needs n LEFT JOIN units u ON u.unit = n.unit WHERE (n.turn > 0) = ?"
        return self._sql.execute(told, (is_judgement,)).fetchone()

    def failed(self, is_judgement: bool) -> int:
        """Of scores: those that a failed unit of the step leaves without one."""
        told = "SELECT count(*) FROM (SELECT DISTINCT n.id, n.subject FROM needs n JOIN units u ON u.unit = n.unit WHERE (n.turn > 0) = ? AND u.reason IS NOT NULL)"
        return self._sql.execute(told, (is_judgement,)).fetchone()[0]

    def weight(self, unit: str) -> int:
        """Scores that need it."""
        return self._sql.execute("SELECT count(*) FROM needs WHERE unit = ?", (unit,)).fetchone()[0]

    def put(self, unit: str, done: Done) -> None:
        told = (unit, done.reason, done.answer, done.value, done.ms, done.prompt_tokens, done.completion_tokens)
        self._sql.execute("INSERT OR REPLACE INTO units VALUES (?, ?, ?, ?, ?, ?, ?)", told)

    def get(self, unit: str) -> Done | None:
        found = self._sql.execute("SELECT reason, answer, value, ms, prompt_tokens, completion_tokens FROM units WHERE unit = ?", (unit,)).fetchone()
        return Done(*found) if found else None

    def close(self) -> None:
        self._sql.close()
