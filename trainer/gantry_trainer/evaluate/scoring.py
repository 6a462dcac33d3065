"""From what models answered to scores: each example's, each subject's on each task, and how they compare."""

import math
from array import array
from dataclasses import dataclass, field

from gantry_worker.places import Places
from gantry_worker.task.journal import Journal

from . import outputs
from .metrics import METRICS
from .recipe import Recipe, Subject, Task
from .statistics import compared, percentiles, scored
from .store import Done, Row, Store

_ABSENT = math.nan
_RIGHT = 0.5


@dataclass
class Column:
    """Of one subject on one task: a score for each row, NaN where there is none, and what its answers took."""

    scores: array = field(default_factory=lambda: array("d"))
    ms: array = field(default_factory=lambda: array("d"))
    prompt_tokens: int = 0
    completion_tokens: int = 0

    @property
    def present(self) -> list[float]:
        return [score for score in self.scores if not math.isnan(score)]

    def take(self, answer: Done) -> None:
        self.ms.append(answer.ms or 0)
        self.prompt_tokens += answer.prompt_tokens or 0
        self.completion_tokens += answer.completion_tokens or 0


Columns = dict[tuple[int, int], Column]


class Scoring:
    def __init__(self, recipe: Recipe, places: Places, store: Store, journal: Journal) -> None:
        self._recipe, self._store, self._journal = recipe, store, journal
        self._columns: Columns = {(task, subject): Column() for task in range(len(recipe.tasks)) for subject in range(len(recipe.subjects))}
        self._examples, self._rejected = outputs.examples(places.root / "out"), outputs.rejected(places.root / "out")
        self._baseline = next((n for n, subject in enumerate(recipe.subjects) if subject.key == recipe.baseline), None)

    def run(self, rows: int) -> tuple[int, int]:
        """(scored, rejected) of subjects, tasks and rows."""
        for done, row in enumerate(self._store.rows()):
            self._journal.progress("scoring", done, rows)
            for number, subject in enumerate(self._recipe.subjects):
                self._one(row, number, subject)
        self._journal.progress("scoring", rows, rows)
        return sum(len(column.present) for column in self._columns.values()), self._rejected.count

    def _one(self, row: Row, number: int, subject: Subject) -> None:
        task, column = self._recipe.tasks[row.task], self._columns[row.task, number]
        where = {"task": task.key, "row": row.number, "subject": subject.key}
        if row.reason:
            column.scores.append(_ABSENT)
            self._rejected.add(outputs.rejection(where, row.reason, row.messages))
            return
        needed = [self._store.get(unit) for unit in self._store.needed(row, number)]
        answer = needed[0]
        if answer.reason is None:
            column.take(answer)
        score, reason = (None, answer.reason) if answer.reason else self._score(row, task, number, needed)
        column.scores.append(_ABSENT if score is None else score)
        if score is None:
            self._rejected.add(outputs.rejection(where, reason, row.messages))
        told = {
            **where,
            "prompt": outputs.prompt_of(row.messages),
            "expected": row.expected and outputs.cut(row.expected),
            "answer": answer.answer and outputs.cut(answer.answer),
            "score": score,
            "is_right": None if score is None else score >= _RIGHT,
        }
        took = {"ms": answer.ms, "prompt_tokens": answer.prompt_tokens, "completion_tokens": answer.completion_tokens}
        self._examples.add({**told, **took, "error": reason})

    def _score(self, row: Row, task: Task, number: int, needed: list[Done]) -> tuple[float | None, str | None]:
        """A score, or the reason why there is none."""
        answer, *judgements = needed
        if not task.is_judged:
            return METRICS[task.metric](row.expected, answer.answer), None
        if failed := next((one.reason for one in judgements if one.reason), None):
            return None, failed
        if task.metric == "Judge":
            return judgements[0].value, None
        if judgements:
            first, second = judgements
            return (first.value + 1 - second.value) / 2, None
        baseline = self._store.get(self._store.needed(row, self._baseline)[0])
        # Of two answers that are the same, none is better.
        return (None, "BaselineFailed") if baseline.reason else (0.5, None)

    def tell(self) -> None:
        """Scores, comparisons and files."""
        for (task, subject), column in self._columns.items():
            if present := column.present:
                middle, high = percentiles(column.ms)
                used = {"promptTokens": column.prompt_tokens, "completionTokens": column.completion_tokens, "p50Ms": middle, "p99Ms": high}
                self._journal.say("score", **self._names(task, subject), **scored(present, self._recipe.seed), **used)
        if self._baseline is not None:
            for task, subject in self._columns:
                if subject != self._baseline:
                    self._compare(task, subject)
        if self._rejected.count:
            self._rejected.tell(self._journal, "rejected")
        self._examples.tell(self._journal, "output", name="examples")

    def _compare(self, task: int, subject: int) -> None:
        both = zip(self._columns[task, subject].scores, self._columns[task, self._baseline].scores, strict=True)
        pairs = [pair for pair in both if not any(map(math.isnan, pair))]
        if pairs:
            told = compared(*zip(*pairs, strict=True), self._recipe.seed)
            self._journal.say("comparison", baseline=self._recipe.baseline, **self._names(task, subject), **told)

    def _names(self, task: int, subject: int) -> dict:
        return {"subject": self._recipe.subjects[subject].key, "task": self._recipe.tasks[task].key, "metric": self._recipe.tasks[task].metric}
