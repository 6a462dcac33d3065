"""Rows into parts by percent. Where a row goes, its content and the seed decide: rows that are alike go together, in every run."""

from typing import TYPE_CHECKING

from ..engine import literal, parquet, quoted
from ..problem import Problem
from . import outputs

if TYPE_CHECKING:
    from .work import Run


def run(task: "Run") -> dict:
    """Percentages are met as closely as chance does it, and exactly by no table."""
    parts, seed = task.recipe.parameters["parts"], task.recipe.parameters["seed"]
    columns = [quoted(name) for name, _ in task.engine.columns(f"FROM {parquet(task.files)}")]
    content = f"to_json([{', '.join(f'{name}::VARCHAR' for name in columns)}])::VARCHAR"
    # 52 bits of the hash, as a percentage.
    share = f"('0x' || left(sha256({literal(f'{seed}:')} || {content}), 13))::BIGINT / {2**52 / 100}"
    counts, below = {}, 0.0
    for number, part in enumerate(parts):
        task.journal.progress("splitting", number, len(parts))
        above, below = below, below + part["percent"]
        where = f"share >= {above!r}" + ("" if number + 1 == len(parts) else f" AND share < {below!r}")
        # A column may be called share.
        told = ", ".join(f"{name} AS v{n}" for n, name in enumerate(columns))
        back = ", ".join(f"v{n} AS {name}" for n, name in enumerate(columns))
        source = f"SELECT {back} FROM (SELECT {told}, {share} AS share FROM {parquet(task.files)}) WHERE {where}"
        counts[part["name"]] = outputs.table(task, source, part["name"], "data")
    task.journal.progress("splitting", len(parts), len(parts))
    if not any(counts.values()):
        raise Problem("NothingMade", "The input has no rows.")
    return {"rows": sum(counts.values()), "rejected": 0}
