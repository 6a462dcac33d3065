"""What is in a table's columns: nulls, distinct values, extremes, and a histogram that a page can filter by."""

import datetime
import json
import math
from pathlib import Path

from duckdb.sqltypes import DuckDBPyType

from .cells import plain, short
from .engine import Engine, parquet, quoted, row_hash
from .limits import BINS, CELL_IN_STATISTICS, STATISTICS_BYTES, TOP_VALUES, TYPE_CHARS

# Aggregates of more columns at once take more memory than they save time.
_COLUMNS_AT_ONCE = 40
# A column of no more distinct values is told value by value.
_FEW = 50

_NUMBERS = ("tinyint", "smallint", "integer", "bigint", "utinyint", "usmallint", "uinteger", "ubigint", "float", "double")
_TIMES = ("date", "timestamp", "timestamp with time zone")
_TEXTS = ("varchar", "boolean", "uuid")
# What tells how many elements a value has.
LISTS = {"list": "len", "array": "len", "map": "cardinality"}

Column = tuple[str, DuckDBPyType]


def statistics(engine: Engine, files: list[Path], tell) -> tuple[list[dict], bool]:
    """One object for each column, and whether histograms were left out, because all together would be too large."""
    source = parquet(files)
    columns = engine.columns(f"FROM {source}")
    found = []
    for at in range(0, len(columns), _COLUMNS_AT_ONCE):
        tell({"step": "statistics", "done": at, "of": len(columns)})
        some = columns[at : at + _COLUMNS_AT_ONCE]
        facts = _facts(engine, source, some)
        for (name, kind), column, shape in zip(some, facts, _shapes(engine, source, some, facts), strict=True):
            found.append({"name": name, "type": short(str(kind), TYPE_CHARS), **_told(column), **shape})
    return _within_bounds(found)


def duplicates(engine: Engine, files: list[Path]) -> int:
    """Rows that equal an earlier one."""
    source = parquet(files)
    row = row_hash([name for name, _ in engine.columns(f"FROM {source}")])
    return engine.row(f"SELECT count(*) - count(DISTINCT {row}) FROM {source}")[0]


def _facts(engine: Engine, source: str, columns: list[Column]) -> list[dict]:
    asked = [_aggregates(name, kind) for name, kind in columns]
    row = list(engine.row(f"SELECT count(*), {', '.join(one for some in asked for one in some.values())} FROM {source}"))
    rows = row.pop(0)
    return [{"rows": rows, **{name: row.pop(0) for name in some}} for some in asked]


def _aggregates(name: str, kind: DuckDBPyType) -> dict[str, str]:
    column, id = quoted(name), str(kind.id)
    number = f"CASE WHEN isfinite({column}::DOUBLE) THEN {column}::DOUBLE END"
    common = {"values": f"count({column})"}
    if _is_number(id):
        return {
            **common,
            "distinct": f"approx_count_distinct({column})",
            "min": f"min({number})",
            "max": f"max({number})",
            "mean": f"avg({number})",
            "deviation": f"stddev_pop({number})",
            "quartiles": f"approx_quantile({number}, [0.25, 0.5, 0.75])",
            "notFinite": f"count({column}) - count({number})",
        }
    if id in _TIMES:
        finite = f"CASE WHEN isfinite({column}) THEN {column}::TIMESTAMP END"
        return {
            **common,
            "distinct": f"approx_count_distinct({column})",
            "min": f"min({finite})",
            "max": f"max({finite})",
        }
    if id in _TEXTS:
        text = f"{column}::VARCHAR"
        return {
            **common,
            "distinct": f"approx_count_distinct({column})",
            "min": f"left(min({text}), {CELL_IN_STATISTICS})",
            "max": f"left(max({text}), {CELL_IN_STATISTICS})",
            "shortest": f"min(length({text}))",
            "longest": f"max(length({text}))",
            "meanLength": f"avg(length({text}))",
        }
    if id in LISTS:
        size = f"{LISTS[id]}({column})"
        return {**common, "shortest": f"min({size})", "longest": f"max({size})"}
    return common


def _is_number(id: str) -> bool:
    return id in _NUMBERS or id.startswith("decimal")


def _told(facts: dict) -> dict:
    told = {name: _rounded(value) for name, value in facts.items() if name not in ("rows", "values")}
    if "distinct" in told:
        # The estimate may be a little more than there are.
        told["distinct"] = min(told["distinct"], facts["values"])
    return {"nulls": facts["rows"] - facts["values"], **told}


def _rounded(value: object) -> object:
    if isinstance(value, list):
        return [_rounded(one) for one in value]
    return float(f"{value:.12g}") if isinstance(value, float) and math.isfinite(value) else plain(value)


def _shapes(engine: Engine, source: str, columns: list[Column], facts: list[dict]) -> list[dict]:
    """A histogram of numbers, times and lengths; single values where there are few."""
    asked = [_shape(name, str(kind.id), column) for (name, kind), column in zip(columns, facts, strict=True)]
    counted = [sql for sql, _ in filter(None, asked)]
    row = list(engine.row(f"SELECT {', '.join(counted)} FROM {source}")) if counted else []
    return [one[1](row.pop(0) or {}) if one else {} for one in asked]


def _shape(name: str, id: str, facts: dict):
    """The SQL that counts, and what makes the answer of it."""
    column = quoted(name)
    if not facts["values"]:
        return None
    if id in _TEXTS and facts["distinct"] <= _FEW:
        return f"histogram(left({column}::VARCHAR, {CELL_IN_STATISTICS}))", _values
    if id in _TEXTS:
        return _bins(f"length({column}::VARCHAR)::DOUBLE", facts["shortest"], facts["longest"], "lengths")
    if id in LISTS:
        return _bins(f"{LISTS[id]}({column})::DOUBLE", facts["shortest"], facts["longest"], "lengths")
    if facts.get("min") is None:
        return None
    if id in _TIMES:
        low, high = (_seconds(facts[name]) for name in ("min", "max"))
        time = f"CASE WHEN isfinite({column}) THEN epoch({column}::TIMESTAMP) END"
        return _bins(time, low, high, "histogram", lambda seconds: _moment(facts["min"], seconds - low))
    number = f"CASE WHEN isfinite({column}::DOUBLE) THEN {column}::DOUBLE END"
    return _bins(number, facts["min"], facts["max"], "histogram")


def _values(counts: dict) -> dict:
    top = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    told = [{"value": plain(value), "count": count} for value, count in top[:TOP_VALUES]]
    return {"values": told, "valuesMore": sum(count for _, count in top[TOP_VALUES:])}


def _bins(value: str, low: float, high: float, name: str, edge=lambda value: _rounded(float(value))):
    """Bins of one width; `edges` has one more than `counts`. A width that is no number is one bin."""
    low, high = float(low), float(high)
    width = (high - low) / BINS
    if not (math.isfinite(width) and width > 0 and low + width > low):
        return f"count({value})", lambda count: {name: {"edges": [edge(low), edge(high)], "counts": [count or 0]}}
    sql = f"histogram(least({BINS - 1}, greatest(0, floor(({value} - {low!r}) / {width!r})))::INTEGER)"
    edges = [edge(low + width * at) for at in range(BINS)] + [edge(high)]
    return sql, lambda counts: {name: {"edges": edges, "counts": [counts.get(at, 0) for at in range(BINS)]}}


_EPOCH = datetime.datetime(1970, 1, 1)


def _seconds(moment: datetime.datetime | datetime.date | str) -> float:
    return (moment - _EPOCH).total_seconds() if isinstance(moment, datetime.datetime) else math.nan


def _moment(first: object, after: float) -> object:
    try:
        return (first + datetime.timedelta(seconds=after)).isoformat()
    except (OverflowError, TypeError, ValueError):
        return plain(first)


def _within_bounds(columns: list[dict]) -> tuple[list[dict], bool]:
    """Histograms of the last columns go first, then what else is long."""
    sizes = [len(json.dumps(column)) for column in columns]
    cut = False
    for without in (("values", "valuesMore", "histogram", "lengths"), ("min", "max", "quartiles", "mean", "deviation")):
        for at in reversed(range(len(columns))):
            if sum(sizes) <= STATISTICS_BYTES:
                return columns, cut
            columns[at] = {name: value for name, value in columns[at].items() if name not in without}
            sizes[at], cut = len(json.dumps(columns[at])), True
    return columns, cut
