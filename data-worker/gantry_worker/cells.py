"""Values of tables as JSON that any reader takes as it was meant: no digit is lost, and a long cell is cut and said to be so."""

import datetime
import decimal
import json
import math
import uuid

from .limits import ANSWER_BYTES, CELL_CHARS, COLUMN_NAME_CHARS, TYPE_CHARS

# JavaScript's numbers have no more digits.
_EXACT = 2**53


def plain(value: object) -> object:
    """Text for what JSON has no form for, or none that all readers understand alike."""
    match value:
        case None | bool():
            return value
        case str():
            return value.encode("utf-8", "replace").decode()
        case int():
            return value if -_EXACT <= value <= _EXACT else str(value)
        case float():
            return value if math.isfinite(value) else str(value)
        case decimal.Decimal() | uuid.UUID():
            return str(value)
        case datetime.date() | datetime.time():
            return value.isoformat()
        case bytes() | bytearray() | memoryview():
            return "\\x" + bytes(value).hex()
        case dict():
            return {str(plain(key)): plain(inner) for key, inner in value.items()}
        case list() | tuple():
            return [plain(inner) for inner in value]
        case _:
            return str(value)


def short(text: str, most: int) -> str:
    return text if len(text) <= most else text[:most] + "…"


def described(columns: list[tuple[str, object]]) -> list[dict]:
    """Names and types of columns. Those of a query may have any length."""
    return [{"name": short(name, COLUMN_NAME_CHARS), "type": short(str(kind), TYPE_CHARS)} for name, kind in columns]


def answered(columns: list[tuple[str, object]], rows: list[tuple], most: int = ANSWER_BYTES) -> dict:
    """Rows as callers get them; `cut` names cells by row and column, with the length that they had.

    Where all cells together have more than `most` bytes, each may have fewer characters.
    """
    cells = [[_cell(value) for value in row] for row in rows]
    chars = CELL_CHARS
    while chars > 0 and _is_larger(cells, chars, most):
        chars //= 2
    told, cut = [], []
    for number, row in enumerate(cells):
        told.append([value if length <= chars else text[:chars] for value, text, length in row])
        cut += [[number, at, length] for at, (_, _, length) in enumerate(row) if length > chars]
    return {"columns": described(columns), "rows": told, "cut": cut}


def _cell(value: object) -> tuple[object, str, int]:
    """The value; as text, and its length, where it may be cut: text may, and nested values become text for it."""
    told = plain(value)
    if told is None or isinstance(told, (bool, int, float)):
        return told, "", 0
    text = told if isinstance(told, str) else json.dumps(told, ensure_ascii=False)
    return (told if len(text) <= CELL_CHARS else None), text[:CELL_CHARS], len(text)


# Of a cell, beside its value: commas, and its entry in `cut`.
_AROUND_BYTES = 24


def _is_larger(cells: list[list[tuple]], chars: int, most: int) -> bool:
    for row in cells:
        for value, text, length in row:
            most -= len(json.dumps(value if length <= chars else text[:chars])) + _AROUND_BYTES
        if most < 0:
            return True
    return False
