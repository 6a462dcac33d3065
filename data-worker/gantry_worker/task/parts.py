"""Parts: what is finished, as Parquet, with the unit of each row. Kept ones of earlier runs, and those of this one, make the version."""

import json
from pathlib import Path

import duckdb

from ..engine import Engine, arguments, literal, parquet, quoted
from ..limits import MIB, PARTS
from ..places import Places
from .journal import Journal
from .kept import FRAME, Kept, rows_of
from .unit import Result, Unit


class Parts(Kept):
    """`columns` are those of the type, in rows and in parts."""

    def __init__(self, engine: Engine, places: Places, columns: dict[str, str], journal: Journal) -> None:
        super().__init__(places, journal)
        self._engine = engine
        self._columns = {**FRAME, **columns}

    def is_sound(self, path: Path) -> bool:
        try:
            found = [(name, str(kind)) for name, kind in self._engine.columns(f"FROM {parquet([path])}")]
            self._engine.row(f"SELECT count(*), max(length(unit)) FROM {parquet([path])}")
        except duckdb.Error:
            return False
        return found == list(self._columns.items())

    def make(self, results: list[Result], to: Path) -> None:
        lines = self._scratch / "part.jsonl"
        with lines.open("w", encoding="ascii") as out:
            for result in results:
                for row in rows_of(result):
                    out.write(json.dumps(row) + "\n")
        selected = ", ".join(f"from_base64({quoted(name)}) AS {quoted(name)}" if kind == "BLOB" else quoted(name) for name, kind in self._columns.items())
        known = ", ".join(f"{literal(name)}: {literal('VARCHAR' if kind == 'BLOB' else kind)}" for name, kind in self._columns.items())
        options = arguments(literal(str(lines)), format="newline_delimited", maximum_object_size=8 * MIB)
        self._engine.rows(
            f"COPY (SELECT {selected} FROM read_json({options}, columns = {{{known}}})) TO {literal(str(to))} (FORMAT parquet, COMPRESSION zstd)"
        )

    def rows(self, places: Path, state: str) -> str:
        """As SQL: rows in the order of the input, with what `places` has of their units (`PLACE_COLUMNS`)."""
        if not self.files:
            told = ", ".join(f"NULL::{kind} AS {quoted(name)}" for name, kind in {**self._columns, **PLACE_COLUMNS}.items())
            return f"(SELECT {told} WHERE false)"
        holders = self._scratch / "holders.jsonl"
        with holders.open("w") as out:
            for key, number in self.holders.items():
                out.write(json.dumps({"holder": str(self.files[number]), "held": key}) + "\n")
        held = f"read_json({literal(str(holders))}, format = 'newline_delimited', columns = {{holder: 'VARCHAR', held: 'VARCHAR'}})"
        # DuckDB opens each file that it is given.
        some = [parquet(self.files[begin : begin + PARTS], filename=True) for begin in range(0, len(self.files), PARTS)]
        found = " UNION ALL ".join(f"SELECT * FROM {source} WHERE state = {literal(state)}" for source in some)
        return (
            f"(SELECT r.*, p.* FROM ({found}) r JOIN {held} h ON r.unit = h.held AND r.filename = h.holder "
            f"JOIN {parquet([places])} p ON r.unit = p.key ORDER BY p.seq, r.at)"
        )

    def dimensions(self) -> int | None:
        """Of the vectors that are kept."""
        for file in self.files:
            found = self._engine.rows(f"SELECT octet_length(vector) // 4 FROM {parquet([file])} WHERE state = 'done' LIMIT 1")
            if found:
                return found[0][0]
        return None


# Where a unit stands in this input: no part has that, since it changes with what stands before it.
PLACE_COLUMNS = {
    "key": "VARCHAR",
    "seq": "BIGINT",
    "file": "VARCHAR",
    "page": "BIGINT",
    "source_row": "BIGINT",
    "start": "BIGINT",
}


def place(unit: Unit, seq: int) -> dict:
    told = {"seq": seq, "file": unit.file or None, "page": unit.page, "source_row": unit.row}
    return {"key": unit.key, **told, "start": unit.first}
