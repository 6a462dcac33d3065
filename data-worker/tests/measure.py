"""`python3 -m tests.measure [bytes]`: JSON Lines into Parquet with statistics, against DuckDB alone, in the same limits, in turns."""

import json
import random
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from gantry_worker.children import Children
from gantry_worker.places import Places

_ALONE = """
import duckdb, sys
c = duckdb.connect(config={"threads": 1, "memory_limit": "512MiB", "temp_directory": sys.argv[2]})
c.execute(f"COPY (FROM read_json('{sys.argv[1]}', format='newline_delimited')) TO '{sys.argv[2]}/alone.parquet' "
          "(FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE 6144)")
c.execute(f"SUMMARIZE FROM '{sys.argv[2]}/alone.parquet'").fetchall()
"""


def main(size: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        places = Places(folder)
        rows = places.root / "in" / "rows.jsonl"
        _write(rows, size)
        request = {"inputs": [{"path": "in/rows.jsonl", "name": "rows.jsonl"}]}
        for turn in range(3):
            alone = _timed(lambda: subprocess.run([sys.executable, "-c", _ALONE, rows, folder], check=True))
            ours = _timed(lambda: Children(places, 2_048).run("profile", {**request, "out": f"out/{turn}"}))
            print(f"DuckDB alone {_told(alone)}, profile {_told(ours)}: {alone[1] / ours[1]:.2f} of its speed", flush=True)


def _write(path: Path, size: int) -> None:
    chance = random.Random(1)
    words = [f"w{n}" for n in range(20_000)]
    texts = [" ".join(chance.choices(words, k=60)) for _ in range(5_000)]
    with path.open("w") as out:
        written = number = 0
        while written < size:
            row = {
                "id": number,
                "question": f"{texts[number % 5_000][:120]} {number}?",
                "answer": texts[number * 7 % 5_000],
                "score": chance.random(),
                "lang": ("en", "zh", "ja")[number % 3],
                "tags": ["a", "b"][: number % 3],
            }
            written += out.write(json.dumps(row) + "\n")
            number += 1


def _timed(run) -> tuple[float, float]:
    """Of the clock, and of the processor: a busy machine shows in the first alone."""
    begun, used = time.monotonic(), _used()
    run()
    return time.monotonic() - begun, _used() - used


def _used() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def _told(times: tuple[float, float]) -> str:
    return f"{times[0]:.1f} s ({times[1]:.1f} s of processor)"


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000_000)
