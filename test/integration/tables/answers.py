"""Writes tables as Parquet, and what the data server answers of their rows: of each name the file and the answer, as one JSON."""

import json
import sys
from pathlib import Path

import duckdb

from gantry_worker import query
from gantry_worker.places import Places
from gantry_worker.tasks import TASKS, Job


def main(root: Path) -> None:
    tables = json.load(sys.stdin)
    (root / "out").mkdir(parents=True, exist_ok=True)
    limits, places, answers = TASKS["query"].limits, Places(root), {}
    for number, (name, sql) in enumerate(tables.items()):
        path = f"out/{number}.parquet"
        options = "FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE 2048"
        duckdb.connect().execute(f"COPY ({sql}) TO '{root / path}' ({options})")
        [(rows,)] = duckdb.sql(f"SELECT count(*) FROM '{root / path}'").fetchall()
        request = {"sql": "SELECT * FROM t", "tables": {"t": [path]}}
        answer = query.run(Job(places, request, limits, root, lambda _: None))
        answers[name] = {"key": path, "rows": rows, "answer": answer}
    json.dump(answers, sys.stdout)


main(Path(sys.argv[1]))
