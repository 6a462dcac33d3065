"""Rows that pass filters, in the order of the table or of one column, with their numbers in the whole table."""

from pathlib import Path

from duckdb.sqltypes import DuckDBPyType

from .cells import answered
from .engine import ROW_NUMBER, Engine, literal, parquet, parts_of, quoted
from .limits import FILTERS, FOUND, ROWS_ANSWERED, SEARCH_SECONDS, SQL_CHARS
from .problem import bad_field
from .statistics import LISTS
from .tasks import Job

_COMPARED = {"atLeast": ">=", "below": "<", "equals": "="}
_LENGTHS = {"lengthAtLeast": ">=", "lengthBelow": "<"}


def run(job: Job) -> dict:
    """{table: [path], filters?, sort?, from?, limit?} → {columns, rows, cut, numbers, total}."""
    request = job.request
    files = parts_of(job.places, request.get("table"), "table")
    start, limit = request.get("from", 0), request.get("limit", ROWS_ANSWERED)
    if not (isinstance(start, int) and 0 <= start <= FOUND):
        raise bad_field("from", f"must be a whole number from 0 to {FOUND}")
    if not (isinstance(limit, int) and 1 <= limit <= ROWS_ANSWERED):
        raise bad_field("limit", f"must be a whole number from 1 to {ROWS_ANSWERED}")
    engine = Engine(job.limits, job.places)
    with engine.problems(SEARCH_SECONDS):
        columns = engine.columns(f"SELECT * FROM {parquet(files)}")
        types = dict(columns)
        where = _where(request.get("filters", []), types)
        order = _order(request.get("sort"), types)
        firsts = _firsts(engine, files)
        engine.lock(files)
    # Parts have the same columns. None is called like DuckDB's own number of a row.
    numbered = " UNION ALL ".join(
        f"SELECT {first} + {ROW_NUMBER} AS {ROW_NUMBER}, * FROM {parquet([file])} WHERE {where}"
        for file, first in zip(files, firsts, strict=True)
    )
    _, [(total,)] = engine.answer(f"SELECT count(*) FROM {parquet(files)} WHERE {where}", 1, SEARCH_SECONDS)
    sql = f"{numbered} ORDER BY {order}{ROW_NUMBER} LIMIT {limit} OFFSET {start}"
    _, rows = engine.answer(sql, limit, SEARCH_SECONDS)
    return {**answered(columns, [row[1:] for row in rows]), "numbers": [row[0] for row in rows], "total": total}


def _firsts(engine: Engine, files: list[Path]) -> list[int]:
    """The number of each file's first row."""
    firsts = [0]
    for file in files[:-1]:
        (rows,) = engine.row(f"SELECT num_rows FROM parquet_file_metadata({literal(str(file))})")
        firsts.append(firsts[-1] + rows)
    return firsts


def _where(filters: object, types: dict[str, DuckDBPyType]) -> str:
    if not (isinstance(filters, list) and len(filters) <= FILTERS and all(isinstance(one, dict) for one in filters)):
        raise bad_field("filters", f"must be a list of at most {FILTERS} objects")
    tests = [test for one in filters for test in _tests(one, _column(one.get("column"), types, "filters.column"), types)]
    return " AND ".join(tests) if tests else "true"


def _tests(filter: dict, name: str, types: dict[str, DuckDBPyType]):
    column, kind = quoted(name), types[name]
    for field, value in filter.items():
        if field == "column":
            continue
        if field == "isNull" and isinstance(value, bool):
            yield f"{column} IS {'' if value else 'NOT '}NULL"
        elif field in _LENGTHS and isinstance(value, int) and not isinstance(value, bool):
            yield f"{_length(column, kind)} {_LENGTHS[field]} {value}"
        elif field in _COMPARED and _is_value(value):
            # A value that is none of the column's type passes no row.
            yield f"{column} {_COMPARED[field]} try_cast({literal(value)} AS {_simple(kind)})"
        else:
            raise bad_field("filters", "must have a column and what it is compared with")


def _is_value(value: object) -> bool:
    """JSON's numbers, without what SQL would read otherwise."""
    if isinstance(value, str):
        return len(value) <= SQL_CHARS
    return isinstance(value, bool | int) or (isinstance(value, float) and value == value and abs(value) != float("inf"))


def _simple(kind: DuckDBPyType) -> str:
    """The type as SQL. Nested values are compared with text."""
    return "VARCHAR" if str(kind.id) in ("struct", "list", "array", "map", "union", "json") else str(kind)


def _length(column: str, kind: DuckDBPyType) -> str:
    function = LISTS.get(str(kind.id))
    return f"{function}({column})" if function else f"length({column}::VARCHAR)"


def _order(sort: object, types: dict[str, DuckDBPyType]) -> str:
    if sort is None:
        return ""
    if not isinstance(sort, dict):
        raise bad_field("sort", "must name a column")
    direction = "DESC" if sort.get("descending") is True else "ASC"
    return f"{quoted(_column(sort.get('column'), types, 'sort.column'))} {direction} NULLS LAST, "


def _column(name: object, types: dict[str, DuckDBPyType], field: str) -> str:
    if not (isinstance(name, str) and name in types):
        raise bad_field(field, "must be a column of the table")
    return name
