"""Search in a knowledge base: chunks whose vectors are nearest, and chunks that have the words, merged by reciprocal rank.

Vectors are compared with all of them, so that none is missed, unless the caller has found the nearest ones elsewhere. The files come from
a Pod of the tenant's: nothing in them is believed.
"""

import json
import math
import sqlite3
import time
from contextlib import closing
from pathlib import Path

import numpy

from .cells import plain
from .engine import Engine, parquet, parts_of
from .limits import ANSWER_BYTES, CHUNKS, DIMENSIONS, NEAREST, SEARCH_SECONDS
from .problem import Problem, bad_field
from .task.outputs import WORDS
from .task.texts import words as words_of
from .tasks import Job

_TEXT_CHARS = 10_000
_BLOCK = 16_384
# Of each half, whatever k is: what both have found a little counts more than what one has found.
_CANDIDATES = 100
# Cormack, Clarke and Büttcher (2009).
_RANK_CONSTANT = 60
_TERMS = 64
# Rows that may be ranked by words: terms that more rows have say little, and are left out where rarer ones are there.
_RANKED_ROWS = 30_000
_OPCODES = 10_000
_COLUMNS = ("chunk", "file", "page", "paragraph_first", "paragraph_last", "row", "unit", "text")


def run(job: Job) -> dict:
    """{chunks: [path], vectors?, words?: path, vector?: [number], nearest?: [[chunk, score]], text?, k?} → {rows: [{chunk, …, score, vector, words}]}.

    `vector` {rank, score} has the cosine, `words` {rank, score} BM25; null where that half has not found the row. `score` is of both.
    """
    request = job.request
    files = parts_of(job.places, request.get("chunks"), "chunks")
    k = request.get("k", 10)
    if not (isinstance(k, int) and not isinstance(k, bool) and 1 <= k <= NEAREST):
        raise bad_field("k", f"must be a whole number from 1 to {NEAREST}")
    vector, found, text = request.get("vector"), request.get("nearest"), request.get("text")
    if vector is None and found is None and text is None:
        raise bad_field("text", "or vector must be there")
    halves = {}
    if found is not None:
        halves["vector"] = _found(found, is_alone=vector is None)
    elif vector is not None:
        path = job.places.existing(request.get("vectors"), ("in", "out"), "vectors")
        halves["vector"] = nearest(path, _vector(vector), _CANDIDATES)
    if text is not None:
        if not (isinstance(text, str) and 1 <= len(text) <= _TEXT_CHARS):
            raise bad_field("text", f"must be text of 1 to {_TEXT_CHARS} characters")
        path = job.places.existing(request.get("words"), ("in", "out"), "words")
        halves["words"] = worded(path, text, _CANDIDATES)
    return {"rows": _bounded(_rows(job, files, merged(halves)[:k]))}


def merged(halves: dict[str, list[tuple[int, float]]]) -> list[dict]:
    """Of (chunk, score) in order, by half: {chunk, score, <half>: {rank, score}}, best first."""
    found: dict[int, dict] = {}
    for half, rows in halves.items():
        for rank, (chunk, score) in enumerate(rows, 1):
            one = found.setdefault(chunk, {"chunk": chunk, "score": 0.0, "vector": None, "words": None})
            one["score"] += 1 / (_RANK_CONSTANT + rank)
            one[half] = {"rank": rank, "score": score}
    return sorted(found.values(), key=lambda one: (-one["score"], one["chunk"]))


def _found(given: object, *, is_alone: bool) -> list[tuple[int, float]]:
    """What another index of the same vectors has found, best first: it stands where `nearest` does."""
    is_list = is_alone and isinstance(given, list) and len(given) <= _CANDIDATES
    if not (is_list and all(isinstance(one, list) and len(one) == 2 and _is_near(*one) for one in given)):
        raise bad_field("nearest", f"must be a list of up to {_CANDIDATES} pairs of chunk and score, in place of vector")
    if len({chunk for chunk, _ in given}) < len(given):
        raise bad_field("nearest", "must have each chunk once")
    return [(chunk, round(float(score), 6)) for chunk, score in given]


def _is_near(chunk: object, score: object) -> bool:
    return type(chunk) is int and 0 <= chunk < 2**31 and type(score) in (int, float) and abs(score) < 1e30


def _vector(given: object) -> numpy.ndarray:
    is_list = isinstance(given, list) and 1 <= len(given) <= DIMENSIONS
    if not (is_list and all(type(value) in (int, float) and abs(value) < 1e30 for value in given)):
        raise bad_field("vector", f"must be a list of 1 to {DIMENSIONS} numbers")
    length = math.hypot(*given)
    if length == 0:
        raise bad_field("vector", "must have a direction")
    return (numpy.array(given, dtype=numpy.float64) / length).astype("<f4")


def nearest(path: Path, vector: numpy.ndarray, most: int) -> list[tuple[int, float]]:
    """Exact: every row is compared. The file is mapped, so that what was read lately costs no memory of ours."""
    try:
        rows = numpy.load(path, mmap_mode="r", allow_pickle=False)
    # A hostile file finds errors in the parser that its makers did not.
    except Exception as error:
        raise Problem("VectorsBroken", "The file of vectors cannot be read.") from error
    if not (isinstance(rows, numpy.ndarray) and rows.dtype.str == "<f4" and rows.ndim == 2 and rows.flags.c_contiguous):
        raise Problem("VectorsBroken", "The file of vectors has no rows of float32.")
    if rows.shape[0] > CHUNKS:
        raise Problem("TooLarge", f"The base has {rows.shape[0]} chunks: at most {CHUNKS} are searched.", most=CHUNKS)
    if rows.shape[1] != len(vector):
        raise bad_field("vector", f"must have {rows.shape[1]} numbers, as the base has")
    scores = numpy.empty(rows.shape[0], dtype=numpy.float32)
    for at in range(0, len(scores), _BLOCK):
        numpy.dot(rows[at : at + _BLOCK], vector, out=scores[at : at + _BLOCK])
    # A row that is no vector is near to nothing.
    scores[~numpy.isfinite(scores)] = -2
    some = numpy.argpartition(-scores, min(most, len(scores)) - 1)[:most] if len(scores) else numpy.empty(0, dtype=int)
    best = some[numpy.lexsort((some, -scores[some]))]
    return [(int(chunk), round(float(scores[chunk]), 6)) for chunk in best if scores[chunk] >= -1.01]


def worded(path: Path, text: str, most: int) -> list[tuple[int, float]]:
    """By BM25. A database of another make is refused: views and triggers of a stranger's could run for long."""
    terms = list(dict.fromkeys(words_of(text)))[:_TERMS]
    if not terms:
        return []
    until = time.monotonic() + SEARCH_SECONDS
    with closing(sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True)) as database:
        database.set_progress_handler(lambda: time.monotonic() > until, _OPCODES)
        try:
            database.execute("PRAGMA trusted_schema = OFF")
            database.execute("PRAGMA temp_store = MEMORY")
            made = database.execute("SELECT name, sql FROM sqlite_master WHERE name NOT LIKE 'words!_%' ESCAPE '!'").fetchall()
            kinds = database.execute("SELECT DISTINCT type FROM sqlite_master").fetchall()
            if made != [("words", WORDS)] or kinds != [("table",)]:
                raise Problem("WordsBroken", "The file of words is none of ours.")
            chosen = _chosen(database, terms)
            if not chosen:
                return []
            query = " OR ".join(f'"{term}"' for term in chosen)
            ranked = "SELECT rowid, -bm25(words) FROM words WHERE words MATCH ? ORDER BY bm25(words), rowid LIMIT ?"
            return [(int(chunk), round(float(score), 6)) for chunk, score in database.execute(ranked, (query, most))]
        except (sqlite3.OperationalError, sqlite3.DatabaseError) as error:
            if time.monotonic() > until:
                raise Problem("TooSlow", f"It takes longer than {SEARCH_SECONDS:g} seconds.", seconds=SEARCH_SECONDS) from error
            raise Problem("WordsBroken", "The file of words cannot be read.") from error


def _chosen(database: sqlite3.Connection, terms: list[str]) -> list[str]:
    """The rarest ones, as long as not too many rows have them."""
    database.execute("CREATE VIRTUAL TABLE temp.vocabulary USING fts5vocab(main, words, row)")
    marks = ", ".join("?" * len(terms))
    counts = database.execute(f"SELECT term, doc FROM vocabulary WHERE term IN ({marks}) ORDER BY doc, term", terms).fetchall()
    chosen, rows = [], 0
    for term, count in counts:
        if chosen and rows + count > _RANKED_ROWS:
            break
        chosen.append(term)
        rows += count
    return chosen


def _rows(job: Job, files: list[Path], found: list[dict]) -> list[dict]:
    if not found:
        return []
    engine = Engine(job.limits, job.places)
    with engine.problems(SEARCH_SECONDS):
        there = {name for name, _ in engine.columns(f"FROM {parquet(files)}")}
        if not set(_COLUMNS) <= there:
            raise bad_field("chunks", "must be the table of a knowledge base")
        engine.lock(files)
    chunks = ", ".join(str(one["chunk"]) for one in found)
    sql = f"SELECT {', '.join(_COLUMNS)} FROM {parquet(files)} WHERE chunk IN ({chunks}) LIMIT {len(found)}"
    _, rows = engine.answer(sql, len(found), SEARCH_SECONDS)
    told = {row[0]: dict(zip(_COLUMNS, map(plain, row), strict=True)) for row in rows}
    return [{**told[one["chunk"]], **one} for one in found if one["chunk"] in told]


def _bounded(rows: list[dict]) -> list[dict]:
    """Texts are cut where all together are too long, and said to be so."""
    left = ANSWER_BYTES
    for row in rows:
        size = len(json.dumps(row))
        if size > left:
            text = row["text"] if isinstance(row["text"], str) else ""
            # A character has at most 12 bytes in JSON.
            row["text"], row["isCut"] = text[: max(0, left // 12 - 100)], True
        left = max(0, left - len(json.dumps(row)))
    return rows
