"""`python3 -m tests.measure [bytes]`: JSON Lines into Parquet with statistics, against DuckDB alone, in the same limits, in turns.

`python3 -m tests.measure retrieve [chunks]`: search in a knowledge base of so many chunks of 384 dimensions, as calls see it.
"""

import json
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from itertools import accumulate
from pathlib import Path

import duckdb
import numpy

from gantry_worker.children import Children
from gantry_worker.limits import LOOKED_UP_GROUP_BYTES, ROW_GROUP_ROWS
from gantry_worker.places import Places

from .base import words_of

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


_DIMENSIONS = 384
# By what is searched, and how often: the 95th percentile of a few calls says nothing.
_CALLS = {("vector", "text"): 100, ("vector",): 20, ("text",): 20}


def retrieve(count: int) -> None:
    chance = random.Random(1)
    # Some words are frequent, most are rare, as in texts of people.
    words = [f"w{n}" for n in range(50_000)]
    sums = list(accumulate(1 / (n + 10) for n in range(len(words))))
    generator = numpy.random.default_rng(1)
    begun = time.monotonic()

    def told(step: str) -> None:
        print(f"{step}, after {time.monotonic() - begun:.0f} s", flush=True)

    with tempfile.TemporaryDirectory() as folder:
        places = Places(folder)
        base = places.root / "in" / "base"
        base.mkdir()
        texts = [" ".join(chance.choices(words, cum_weights=sums, k=60)) for _ in range(count)]
        told(f"{count} texts")
        _chunks(base, texts)
        told("chunks")
        rows = generator.standard_normal((count, _DIMENSIONS), dtype=numpy.float32)
        rows /= numpy.linalg.norm(rows, axis=1, keepdims=True)
        numpy.save(base / "vectors.npy", rows)
        del rows
        told("vectors")
        words_of(base / "words.sqlite", texts)
        told("words")
        paths = {"chunks": ["in/base/chunks.parquet"], "vectors": "in/base/vectors.npy", "words": "in/base/words.sqlite"}
        children = Children(places, 2_048)
        try:
            for halves, calls in _CALLS.items():
                asked = [
                    {"vector": generator.standard_normal(_DIMENSIONS).tolist(), "text": " ".join(chance.choices(words, cum_weights=sums, k=8))}
                    for _ in range(calls + 1)
                ]
                _search(children, paths, halves, asked)
        finally:
            children.sweep(0)


def _chunks(base: Path, texts: list[str]) -> None:
    (base / "texts.jsonl").write_text("".join(json.dumps({"text": text}) + "\n" for text in texts))
    columns = "n - 1 AS chunk, text, 60 AS tokens, 'a.pdf' AS file, n // 10 AS page, 1 AS paragraph_first, 2 AS paragraph_last, NULL::BIGINT AS row, 'u' AS unit"
    source = f"(SELECT text, row_number() OVER () AS n FROM read_json('{base}/texts.jsonl', format = 'newline_delimited'))"
    options = f"FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE {ROW_GROUP_ROWS}, ROW_GROUP_SIZE_BYTES {LOOKED_UP_GROUP_BYTES}"
    duckdb.connect(config={"threads": 1, "preserve_insertion_order": True}).execute(
        f"COPY (SELECT {columns} FROM {source}) TO '{base}/chunks.parquet' ({options})"
    )


def _search(children: Children, paths: dict, halves: tuple[str, ...], asked: list[dict]) -> None:
    """The first call starts the process. What the processor took tells a slow search from a busy machine."""
    times = []
    for n, one in enumerate(asked):
        begun = time.monotonic()
        children.run("retrieve", {**paths, **{half: one[half] for half in halves}})
        times.append(1_000 * (time.monotonic() - begun))
        if n == 0:
            used = _used_of(children)
    first, *rest = times
    used = 1_000 * (_used_of(children) - used) / len(rest)
    rest.sort()
    told = f"p50 {rest[len(rest) // 2]:.0f} ms, p95 {rest[len(rest) * 95 // 100]:.0f} ms ({used:.0f} ms of processor each), the first call {first:.0f} ms"
    print(f"{' and '.join(halves)}: {told}", flush=True)


def _used_of(children: Children) -> float:
    """Of the process that waits for the next search, in seconds."""
    if children._idle is None:
        raise RuntimeError("no process waits: the last search has failed")
    fields = Path(f"/proc/{children._idle[1]._process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    if sys.argv[1:2] == ["retrieve"]:
        retrieve(int(sys.argv[2]) if len(sys.argv) > 2 else 100_000)
    else:
        main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000_000)
