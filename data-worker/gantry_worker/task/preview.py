"""What a task would do, on the first rows: the same code, and no model. With the number of units and an estimate of tokens, and how it comes about."""

import json
import tempfile
import time
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from ..cells import answered
from ..engine import Engine, literal, parquet
from ..limits import ANSWER_BYTES, PREVIEW_BYTES, PREVIEW_PROMPTS, PREVIEW_ROWS, PREVIEW_SECONDS
from ..problem import Problem
from ..tasks import Job
from . import graph, knowledge, qa
from .chat import input_tokens
from .recipe import Recipe, recipe_of
from .run import main
from .texts import tokens
from .unit import Unit
from .units import units_of

_MODELS = {"QaPairs": qa, "KnowledgeGraph": graph}
# The rest is for the answer.
_COUNT_SECONDS = PREVIEW_SECONDS / 2
_COLUMNS = [("file", "VARCHAR"), ("page", "BIGINT"), ("paragraph", "BIGINT"), ("row", "BIGINT"), ("tokens", "BIGINT"), ("text", "VARCHAR")]
_HALF = ANSWER_BYTES // 2


def run(job: Job) -> dict:
    """{recipe} → {columns, rows, cut, units, estimate?, prompts?, last?}: `units` {count, isExact}; `last` is the journal's of tasks without a model.

    Paths of the recipe's input are the data server's.
    """
    recipe = recipe_of(job.request.get("recipe"))
    files = [job.places.existing(path, ("in", "out"), "input.parts.path") for path in recipe.parts]
    engine = Engine(job.limits, job.places, job.scratch)
    if not recipe.asks:
        return _without_model(job, engine, files)
    return _with_model(recipe, engine, files)


def _without_model(job: Job, engine: Engine, files: list[Path]) -> dict:
    """The task itself, in a folder of its own. Of fewer rows, it may reject more of them than all would."""
    (count,) = engine.row(f"SELECT count(*) FROM {parquet(files)}")
    root = job.scratch / "task"
    (root / "in" / "tables").mkdir(parents=True)
    engine.rows(f"COPY (FROM {parquet(files)} LIMIT {PREVIEW_ROWS}) TO {literal(str(root / 'in' / 'tables' / 'first.parquet'))} (FORMAT parquet)")
    given = job.request["recipe"]
    input = {**given["input"], "parts": [{"path": "in/tables/first.parquet"}]}
    (root / "in" / "recipe.json").write_text(json.dumps({**given, "input": input, "maxRejectedPercent": 100}))
    with tempfile.TemporaryFile(dir=job.scratch) as journal:
        main(str(root), "http://127.0.0.1:0", job.limits.engine_mb, 1, journal.fileno())
        journal.seek(0)
        lines = [json.loads(line) for line in journal]
    last = lines[-1]
    if last["type"] == "failed" and last["code"] != "NothingMade":
        # Paths in it are of the folder that is gone.
        raise Problem(last["code"], last["sentence"], 400 if last["code"] == "BadField" else 422, **last["values"])
    told = _first_rows(engine, root, [line for line in lines if line["type"] == "output"])
    return {**told, "units": {"count": count, "isExact": True}, "last": last}


def _first_rows(engine: Engine, root: Path, outputs: list[dict]) -> dict:
    """Of a table its rows; of text its lines. Parts of a split one after the other, with a column that says which."""
    tables = [line for line in outputs if line["path"].endswith(".parquet")]
    if not tables:
        told = (root / outputs[0]["path"]).read_text() if outputs else ""
        return answered([("text", "VARCHAR")], [(line,) for line in told.splitlines()[:PREVIEW_ROWS]])
    found: list[tuple] = []
    columns: list = []
    for line in tables:
        source = parquet([root / line["path"]])
        columns = engine.columns(f"FROM {source}")
        found += [(line["name"], *row) for row in engine.rows(f"FROM {source} LIMIT {PREVIEW_ROWS}")]
    return answered([("output", "VARCHAR"), *columns], found[:PREVIEW_ROWS])


@dataclass
class _Sum:
    """Tokens of the units that were looked at."""

    units: int = 0
    bytes: int = 0
    rows: int = 0
    requests: int = 0
    text: int = 0
    frame: int = 0
    output: int = 0
    keys: set = field(default_factory=set)


def _with_model(recipe: Recipe, engine: Engine, files: list[Path]) -> dict:
    first: list[Unit] = []
    total, is_exact = _Sum(), True
    until = time.monotonic() + _COUNT_SECONDS
    for unit in units_of(recipe, engine, files):
        if total.bytes > PREVIEW_BYTES or time.monotonic() > until:
            is_exact = False
            break
        total.bytes += len(unit.text.encode())
        total.rows += 1
        if unit.key in total.keys:
            continue
        total.keys.add(unit.key)
        if len(first) < PREVIEW_ROWS:
            first.append(unit)
        _count(recipe, unit, total)
    if not total.rows:
        raise Problem("NothingMade", "The input has no rows and no pages.")
    share = 1.0 if is_exact else _share(recipe, engine, files, total)
    return {
        **(_chunks(recipe, first) if recipe.type == "KnowledgeBase" else _texts(first)),
        "units": {"count": round(total.units * share), "isExact": is_exact},
        "estimate": _estimate(recipe, total, share),
        "prompts": _prompts(recipe, first),
    }


def _share(recipe: Recipe, engine: Engine, files: list[Path], total: _Sum) -> float:
    """By how much the whole is more than what was looked at: by rows of a table, by bytes of documents."""
    if recipe.kind == "table":
        return engine.row(f"SELECT count(*) FROM {parquet(files)}")[0] / total.rows
    return max(1.0, engine.row(f"SELECT sum(strlen(text)) FROM {parquet(files)}")[0] / max(1, total.bytes))


def _count(recipe: Recipe, unit: Unit, total: _Sum) -> None:
    total.units += 1
    if not unit.paragraphs:
        return
    if recipe.type == "KnowledgeBase":
        sizes = [chunk["tokens"] for chunk in knowledge.chunks(recipe, unit)]
        total.requests += len(sizes)
        total.text += sum(sizes)
        return
    input, output = _MODELS[recipe.type].estimate(recipe, unit)
    text = tokens(unit.text)
    total.requests += 1
    total.text += text
    total.frame += input - text
    total.output += output


def _estimate(recipe: Recipe, total: _Sum, share: float) -> dict:
    """`inputTokens` = text + frames, `outputTokens`: each scaled from the sample. Tokens are by our rule, as models differ."""
    text, frame, output = (round(value * share) for value in (total.text, total.frame, total.output))
    what = "chunks" if recipe.type == "KnowledgeBase" else "requests"
    return {
        "inputTokens": text + frame,
        "outputTokens": output,
        "arithmetic": {
            "sampledUnits": total.units,
            "scaledBy": round(share, 4),
            what: round(total.requests * share),
            "textTokens": text,
            "instructionTokens": frame,
            "answerTokensEach": round(total.output / max(1, total.requests)),
        },
    }


def _prompts(recipe: Recipe, units: list[Unit]) -> list[dict]:
    """The bodies of the first calls, exactly."""
    if recipe.type == "KnowledgeBase":
        chunks = (chunk for unit in units for chunk in knowledge.chunks(recipe, unit))
        rows = [("", chunk["tokens"], chunk["text"]) for chunk in islice(chunks, PREVIEW_PROMPTS)]
        return [{"label": units[0].label, "body": knowledge.request(recipe, rows), "inputTokens": sum(row[1] for row in rows)}] if rows else []
    told, left = [], ANSWER_BYTES // 4
    for unit in islice((unit for unit in units if unit.paragraphs), PREVIEW_PROMPTS):
        body = _MODELS[recipe.type].request(recipe, unit)
        left -= len(json.dumps(body))
        if left < 0:
            break
        told.append({"label": unit.label, "unit": unit.key, "body": body, "inputTokens": input_tokens(body)})
    return told


def _chunks(recipe: Recipe, units: list[Unit]) -> dict:
    rows = (
        (unit.file or None, unit.page, unit.page and unit.first + chunk["first"], unit.row, chunk["tokens"], chunk["text"])
        for unit in units
        for chunk in knowledge.chunks(recipe, unit)
    )
    return answered(_COLUMNS, list(islice(rows, PREVIEW_ROWS)), _HALF)


def _texts(units: list[Unit]) -> dict:
    rows = [(unit.file or None, unit.page, unit.page and unit.first, unit.row, tokens(unit.text), unit.text) for unit in units]
    return answered(_COLUMNS, rows, _HALF)
