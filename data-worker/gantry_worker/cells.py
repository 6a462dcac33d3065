"""Values of tables as JSON that any reader takes as it was meant: no digit is lost, and a long cell is cut and said to be so."""

import datetime
import decimal
import json
import math
import uuid

from .limits import CELL_CHARS

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


def cell(value: object) -> tuple[object, int | None]:
    """The value, and its length where it was cut: text alone is, and nested values become text for it."""
    told = plain(value)
    text = told if isinstance(told, str) else json.dumps(told, ensure_ascii=False)
    if len(text) <= CELL_CHARS:
        return told, None
    return text[:CELL_CHARS], len(text)


def answered(columns: list[tuple[str, str]], rows: list[tuple]) -> dict:
    """Rows as callers get them; `cut` names cells by row and column, with the length that they had."""
    cut, told = [], []
    for number, row in enumerate(rows):
        cells = [cell(value) for value in row]
        told.append([value for value, _ in cells])
        cut += [[number, at, length] for at, (_, length) in enumerate(cells) if length is not None]
    return {"columns": [{"name": name, "type": kind} for name, kind in columns], "rows": told, "cut": cut}
