"""The loop of tasks that ask a model: what is not kept is done in bundles, each becomes a part, and all parts become the version."""

import json
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from ..engine import Engine, parquet
from ..limits import BATCH, LOOKED_UP_GROUP_BYTES, UNITS
from ..places import Places
from ..problem import Problem
from ..tables import write_rows, write_parts
from . import graph, knowledge, outputs, qa
from .journal import Journal
from .loop import Process, each, in_bundles
from .model import BudgetSpent, Model
from .parts import PLACE_COLUMNS, Parts, place
from .recipe import Recipe
from .unit import Result, Unit
from .units import units_of

_SOURCE = "file, page, {paragraphs}, source_row AS row, unit"


@dataclass
class Run:
    """What a task has at hand."""

    recipe: Recipe
    engine: Engine
    places: Places
    journal: Journal
    model: Model
    files: list[Path]
    # By reason: what became of units, of this run and of kept ones.
    counts: dict[str, int] = field(default_factory=dict)

    @property
    def scratch(self) -> Path:
        return self.places.root / "tmp"


def run(task: Run, done: object) -> dict:
    """The values of the last line. Raises a Problem where nothing was made, or too much was rejected."""
    module = _MODULES[task.recipe.type]
    parts = Parts(task.engine, task.places, module.COLUMNS, task.journal)
    parts.take_kept(done)
    known, places = _placed(task)
    kept = sum(key in parts.holders for key in known)
    task.journal.say("plan", units=len(known), kept=kept)
    counter = _Counter(task, parts, places, len(known), kept)
    _do(task, parts, counter)
    return _end(task, parts, places, counter)


def _placed(task: Run) -> tuple[set[str], Path]:
    """All units by key, and a table of where each stands for the first time."""
    known: set[str] = set()
    lines = task.scratch / "places.jsonl"
    with lines.open("w", encoding="ascii") as out:
        for unit in units_of(task.recipe, task.engine, task.files):
            if unit.key in known:
                continue
            out.write(json.dumps(place(unit, len(known))) + "\n")
            known.add(unit.key)
            if len(known) > UNITS:
                raise Problem("TooManyUnits", f"More than {UNITS} units are not done in one task.", most=UNITS)
    if not known:
        raise Problem("NothingMade", "The input has no rows and no pages.")
    folder = task.scratch / "places"
    folder.mkdir()
    written = write_rows(task.engine, lines, PLACE_COLUMNS, folder, "places")
    return known, written[0]


class _Counter:
    """Failed units are rejected rows. Where they are too many of all units, going on would only cost."""

    def __init__(self, task: Run, parts: Parts, places: Path, units: int, kept: int) -> None:
        self._most = units * task.recipe.max_rejected_percent / 100
        self._percent = task.recipe.max_rejected_percent
        self.units, self.done = units, kept
        (self.failed,) = task.engine.row(f"SELECT count(DISTINCT unit) FROM {parts.rows(places, 'failed')}") if kept else (0,)
        self.reasons: dict[str, int] = {}

    def add(self, results: list[Result]) -> None:
        self.done += len(results)
        for result in results:
            self.failed += result.state == "failed"
            if result.reason:
                self.reasons[result.reason] = self.reasons.get(result.reason, 0) + 1

    def check(self) -> None:
        if self.failed > self._most:
            told = f"{self.failed} of {self.units} units failed, which is more than {self._percent:g} percent."
            values = {"failed": self.failed, "units": self.units, "percent": self._percent, "reasons": self.reasons}
            raise Problem("TooManyRejected", told, **values)


def _pending(task: Run, parts: Parts) -> Iterator[Unit]:
    seen: set[str] = set()
    for unit in units_of(task.recipe, task.engine, task.files):
        if unit.key not in parts.holders and unit.key not in seen:
            seen.add(unit.key)
            yield unit


def _do(task: Run, parts: Parts, counter: _Counter) -> None:
    def took(results: list[Result]) -> None:
        parts.write(results)
        counter.add(results)
        task.journal.progress("units", counter.done, counter.units)

    # Where all of it is kept already, nothing else would say so.
    task.journal.progress("units", counter.done, counter.units)
    try:
        in_bundles(_pending(task, parts), _PROCESS[task.recipe.type](task, parts), took, counter.check, task.model)
    finally:
        task.model.close()


def _each(rows: Callable) -> Callable[[Run, Parts], Callable[[ThreadPoolExecutor], Process]]:
    """A call for each unit."""
    return lambda task, _: each(lambda unit: rows(task.recipe, task.model, unit))


def _embedded(task: Run, parts: Parts) -> Callable[[ThreadPoolExecutor], Process]:
    """Calls for batches of chunks. A unit is done when all of its chunks are."""
    vectors = knowledge.Vectors(task.recipe, task.model, parts.dimensions())

    def process(calls: ThreadPoolExecutor, bundle: list[Unit]) -> list[Result]:
        chunks = {unit.key: list(knowledge.chunks(task.recipe, unit)) for unit in bundle}
        rows = [(key, chunk) for key, some in chunks.items() for chunk in some]
        batches = list(knowledge.batches([(key, chunk["tokens"], chunk["text"]) for key, chunk in rows]))
        # The same bundle in another run has the same batches, and so the same keys. Answers are forgotten with the unit of their key:
        # its last one is the last that is done.
        name = bundle[-1].key

        def one(number: int) -> list:
            try:
                return vectors.of(batches[number], name, number * (BATCH + 1))
            except (BudgetSpent, Problem):
                return [None] * len(batches[number])

        found = [vector for some in calls.map(one, range(len(batches))) for vector in some]
        failed: dict[str, str | None] = {}
        for (key, chunk), vector in zip(rows, found, strict=True):
            if isinstance(vector, str):
                chunk["vector"] = vector
            else:
                failed.setdefault(key, vector.reason if vector else None)
        return list(_results(bundle, chunks, failed))

    return lambda calls: partial(process, calls)


def _results(bundle: list[Unit], chunks: dict[str, list[dict]], failed: dict[str, str | None]) -> Iterator[Result]:
    for unit in bundle:
        if unit.key not in failed:
            yield Result(unit, "done", chunks[unit.key]) if chunks[unit.key] else Result(unit, "skipped", [], "NoText")
        elif failed[unit.key]:
            yield Result(unit, "failed", [], failed[unit.key])


_MODULES = {"QaPairs": qa, "KnowledgeBase": knowledge, "KnowledgeGraph": graph}
_PROCESS = {"QaPairs": _each(qa.rows), "KnowledgeBase": _embedded, "KnowledgeGraph": _each(graph.rows)}


def _end(task: Run, parts: Parts, places: Path, counter: _Counter) -> dict:
    is_spent = counter.done < counter.units
    held = write_parts(task.engine, parts.rows(places, "done"), _folder(task, "held"), tell=lambda _: None)
    (rows,) = task.engine.row(f"SELECT count(*) FROM {parquet(held)}") if held else (0,)
    if rows == 0:
        code = "TokenBudgetSpent" if is_spent else "NothingMade"
        told = f"Of {counter.units} units, {counter.done} were done and {counter.failed} failed: nothing was made of them."
        raise Problem(code, told, units=counter.units, done=counter.done, failed=counter.failed, reasons=counter.reasons)
    outputs.rejected(task, f"SELECT file, coalesce(source_row, page) AS line, reason AS code, excerpt AS text FROM {parts.rows(places, 'failed')}")
    count = _ASSEMBLE[task.recipe.type](task, held)
    told = {"rows": count, "rejected": counter.failed}
    return {**told, **({"ended": "TokenBudgetSpent", "unitsLeft": counter.units - counter.done} if is_spent else {})}


def _folder(task: Run, name: str) -> Path:
    folder = task.scratch / name
    folder.mkdir(exist_ok=True)
    return folder


def _pairs(task: Run, held: list[Path]) -> int:
    source = _SOURCE.format(paragraphs="if(page IS NULL, NULL, start + paragraph) AS paragraph")
    return outputs.table(task, f"SELECT question, answer, {source} FROM {parquet(held)}", "qa", "data")


def _base(task: Run, held: list[Path]) -> int:
    paragraphs = ", ".join(f"if(page IS NULL, NULL, start + {name}) AS paragraph_{name}" for name in ("first", "last"))
    source = _SOURCE.format(paragraphs=paragraphs)
    chunk = "row_number() OVER () - 1 AS chunk"
    count = outputs.table(task, f"SELECT {chunk}, text, tokens, {source} FROM {parquet(held)}", "chunks", "data", LOOKED_UP_GROUP_BYTES)
    outputs.vectors(task, held)
    outputs.words(task, held)
    return count


def _graph(task: Run, held: list[Path]) -> int:
    columns = ", ".join(["unit", *graph.COLUMNS])
    rows = iter(task.engine.connection.cursor().execute(f"SELECT {columns} FROM {parquet(held)}").fetchone, None)
    entities, relations = graph.merged(rows)
    count = outputs.lines(task, entities, graph.ENTITIES, "entities", "data")
    outputs.lines(task, relations, graph.RELATIONS, "relations", "graph")
    source = _SOURCE.format(paragraphs="if(page IS NULL, NULL, start) AS paragraph")
    outputs.table(task, f"SELECT DISTINCT ON (seq) {source} FROM {parquet(held)} ORDER BY seq", "sources", "graph")
    return count


_ASSEMBLE = {"QaPairs": _pairs, "KnowledgeBase": _base, "KnowledgeGraph": _graph}
