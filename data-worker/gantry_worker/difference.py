"""What lies between two versions of a table: columns, and rows added, removed or changed. Rows are known by a key, or by all they have."""

from pathlib import Path

from .cells import answered, described, short
from .engine import Engine, parquet, parts_of, quoted, row_hash
from .limits import ANSWER_BYTES, ROWS_ANSWERED, TYPE_CHARS
from .problem import Problem, bad_field
from .tasks import Job

_KEY_COLUMNS = 8


def run(job: Job) -> dict:
    """{before: [path], after: [path], key?: [column], limit?} → {columns, rows, changed, added, removed}."""
    before, after = (parts_of(job.places, job.request.get(field), field) for field in ("before", "after"))
    limit = job.request.get("limit", ROWS_ANSWERED)
    if not (isinstance(limit, int) and 0 <= limit <= ROWS_ANSWERED):
        raise bad_field("limit", f"must be a whole number from 0 to {ROWS_ANSWERED}")
    engine = Engine(job.limits, job.places, job.scratch)
    with engine.problems(job.limits.seconds):
        return _compared(engine, before, after, job.request.get("key"), limit)


def _compared(engine: Engine, before: list[Path], after: list[Path], key: object, limit: int) -> dict:
    old, new = (dict(engine.columns(f"SELECT * FROM {parquet(files)}")) for files in (before, after))
    common = [name for name in new if name in old]
    columns = {
        "added": described([(name, new[name]) for name in new if name not in old]),
        "removed": described([(name, old[name]) for name in old if name not in new]),
        "changed": [
            {"name": name, "before": short(str(old[name]), TYPE_CHARS), "after": short(str(new[name]), TYPE_CHARS)}
            for name in common
            if str(old[name]) != str(new[name])
        ],
    }
    if not common:
        raise Problem("NothingInCommon", "The two versions have no column in common.")
    for name, files in (("old", before), ("new", after)):
        # A column whose type changed is compared as text.
        engine.rows(
            f"CREATE VIEW {name}_rows AS SELECT "
            + ", ".join(_comparable(column, old[column], new[column]) for column in common)
            + f" FROM {parquet(files)}"
        )
    compare = _by_key if key is not None else _by_hash
    return {"columns": columns, **compare(engine, common, _key(key, common), limit)}


def _comparable(name: str, old: object, new: object) -> str:
    as_text = "" if str(old) == str(new) else "::VARCHAR"
    return f"{quoted(name)}{as_text} AS {quoted(name)}"


def _key(value: object, common: list[str]) -> list[str]:
    if value is None:
        return []
    if not (isinstance(value, list) and 1 <= len(value) <= _KEY_COLUMNS and set(map(str, value)) <= set(common)):
        raise bad_field("key", f"must be a list of 1 to {_KEY_COLUMNS} columns that both versions have")
    return value


def _by_hash(engine: Engine, common: list[str], key: list[str], limit: int) -> dict:
    """Equal rows may stand several times: what counts is how often. A changed row is one removed and one added."""
    row = row_hash(common)
    # By its place: a column may be called h.
    counted = "SELECT {} AS h, count(*) AS n FROM {}_rows GROUP BY 1"
    engine.rows(
        "CREATE TEMP TABLE changes AS SELECT h, coalesce(b.n, 0) - coalesce(a.n, 0) AS n "
        f"FROM ({counted.format(row, 'old')}) a FULL JOIN ({counted.format(row, 'new')}) b USING (h) "
        "WHERE coalesce(a.n, 0) <> coalesce(b.n, 0)"
    )
    added, removed = engine.row("SELECT sum(n) FILTER (n > 0), -sum(n) FILTER (n < 0) FROM changes")
    total = {name: engine.row(f"SELECT count(*) FROM {name}_rows")[0] for name in ("old", "new")}
    added, removed = int(added or 0), int(removed or 0)

    def shown(name: str, sign: str) -> dict:
        changed = f"(SELECT h FROM changes WHERE n {sign} 0)"
        return _sample(engine, f"SELECT * FROM {name}_rows WHERE {row} IN {changed}", limit)

    return {
        "rows": {"added": added, "removed": removed, "changed": 0, "same": total["new"] - added, **_totals(total)},
        "changedColumns": {},
        "added": shown("new", ">"),
        "removed": shown("old", "<"),
        "changed": {"columns": [], "rows": [], "cut": []},
    }


def _by_key(engine: Engine, common: list[str], key: list[str], limit: int) -> dict:
    """A row with a key that the other version has too is the same row, changed or not."""
    named = ", ".join(map(quoted, key))
    total = {name: engine.row(f"SELECT count(*) FROM {name}_rows")[0] for name in ("old", "new")}
    for name in ("old", "new"):
        if engine.row(f"SELECT count(*) FROM (SELECT DISTINCT {named} FROM {name}_rows)")[0] < total[name]:
            raise Problem("KeyNotUnique", f"Several rows have the same {', '.join(key)}: that is no key.", columns=key)
    same = " AND ".join(f"a.{quoted(name)} IS NOT DISTINCT FROM b.{quoted(name)}" for name in key)
    joined = f"FROM old_rows a JOIN new_rows b ON {same}"
    others = [name for name in common if name not in key]
    differs = {name: f"a.{quoted(name)} IS DISTINCT FROM b.{quoted(name)}" for name in others}
    any_differs = " OR ".join(differs.values()) or "false"
    counts = ", ".join(f"count(*) FILTER ({test})" for test in differs.values())
    both, changed, *columns = engine.row(
        f"SELECT count(*), count(*) FILTER ({any_differs}){', ' + counts if counts else ''} {joined}"
    )
    pairs = ", ".join(
        [f"b.{quoted(name)}" for name in key]
        + [f"CASE WHEN {test} THEN [a.{quoted(name)}, b.{quoted(name)}] END AS {quoted(name)}" for name, test in differs.items()]
    )
    return {
        "rows": {
            "added": total["new"] - both,
            "removed": total["old"] - both,
            "changed": changed,
            "same": both - changed,
            **_totals(total),
        },
        "changedColumns": {name: count for name, count in zip(others, columns, strict=True) if count > 0},
        "added": _sample(engine, f"SELECT b.* FROM new_rows b ANTI JOIN old_rows a ON {same}", limit),
        "removed": _sample(engine, f"SELECT a.* FROM old_rows a ANTI JOIN new_rows b ON {same}", limit),
        # Each cell that differs is [before, after].
        "changed": _sample(engine, f"SELECT {pairs} {joined} WHERE {any_differs}", limit),
    }


def _totals(total: dict) -> dict:
    return {"before": total["old"], "after": total["new"]}


def _sample(engine: Engine, sql: str, limit: int) -> dict:
    result = engine.connection.execute(f"{sql} LIMIT {limit}")
    columns = [(name, kind) for name, kind, *_ in result.description]
    # An answer has three.
    return answered(columns, result.fetchall(), ANSWER_BYTES // 3)
