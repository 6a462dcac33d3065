"""SQL over tables of a version: exactly one SELECT, over the files that the request names and nothing else, within seconds."""

import re

from .cells import answered
from .engine import Engine, parquet, parts_of, quoted
from .limits import COLUMNS, QUERY_SECONDS, ROWS_ANSWERED, SQL_CHARS, TABLES
from .places import Places
from .problem import Problem, bad_field
from .sieve import too_wide
from .tasks import Job

_TABLE = re.compile(r"[a-z_][a-z0-9_]{0,62}")


def run(job: Job) -> dict:
    """{sql, tables: {name: [path]}} → {columns, rows, cut, more}."""
    sql, tables = _sql(job.request.get("sql")), _tables(job.places, job.request.get("tables"))
    engine = Engine(job.limits, job.places)
    with engine.problems(QUERY_SECONDS):
        for name, files in tables.items():
            engine.rows(f"CREATE VIEW {quoted(name)} AS SELECT * FROM {parquet(files)}")
        engine.lock([file for files in tables.values() for file in files])
    columns, rows = engine.answer(_one_select(engine, sql), ROWS_ANSWERED + 1, QUERY_SECONDS)
    if len(columns) > COLUMNS:
        raise too_wide(len(columns))
    return {**answered(columns, rows[:ROWS_ANSWERED]), "more": len(rows) > ROWS_ANSWERED}


def _sql(value: object) -> str:
    if not (isinstance(value, str) and 1 <= len(value) <= SQL_CHARS):
        raise bad_field("sql", f"must be text of 1 to {SQL_CHARS} characters")
    return value


def _tables(places: Places, value: object) -> dict:
    if not (isinstance(value, dict) and 1 <= len(value) <= TABLES and all(map(_TABLE.fullmatch, value))):
        raise bad_field("tables", f"must name 1 to {TABLES} tables, each in lower-case letters, digits and _")
    return {name: parts_of(places, files, f"tables.{name}") for name, files in value.items()}


def _one_select(engine: Engine, sql: str):
    """What an EXPLAIN, a SHOW of settings or a COPY is, the parser says: we look for no words."""
    with engine.problems(QUERY_SECONDS):
        statements = engine.connection.extract_statements(sql)
    if [statement.type.name for statement in statements] != ["SELECT"]:
        raise Problem("NotOneSelect", "A query is one SELECT, which changes nothing.")
    return statements[0]
