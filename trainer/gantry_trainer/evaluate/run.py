"""One evaluation from its recipe to its last line, `done` or `failed`."""

import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from gantry_worker.places import Places
from gantry_worker.problem import NO_ROOM, Problem, disk_full
from gantry_worker.task.ending import EXITS as TASK_EXITS
from gantry_worker.task.ending import fail, read_json, sweep
from gantry_worker.task.journal import DESCRIPTOR, Journal
from gantry_worker.task.loop import each, in_bundles
from gantry_worker.task.model import Budget, BudgetSpent, Model
from gantry_worker.task.unit import Result

from ..ending import ASKED_TO_END, Ending
from .answers import PASSING, Answers
from .chosen import load
from .judging import judge, judgements_of
from .load import measured
from .question import Question, answer_key, ask, question_of
from .recipe import Recipe, recipe_of
from .scoring import Scoring
from .store import Row, Store

EXITS = {**TASK_EXITS, "HarnessUnavailable": 65, "NothingUsable": 66, "DoesNotFit": 68, "ModelNotAnswering": 69}


class AskedToEnd(Exception):
    """SIGTERM came, and what was answered is kept."""


def main(root: str, address: str, back_off: float = 1, descriptor: int = DESCRIPTOR) -> int:
    """The exit code. A SIGKILL at any time loses what is in no part, and nothing else."""
    ending = Ending()
    places = Places(root)
    journal = Journal(places.root, descriptor)
    try:
        journal.say("done", **_run(places, journal, ending, address, back_off))
        return 0
    except AskedToEnd:
        return ASKED_TO_END
    except Problem as problem:
        told = problem
    except BudgetSpent:
        told = Problem("TokenBudgetSpent", "The token budget is spent. What was answered is kept: a run with a larger one goes on from there.")
    except MemoryError:
        told = Problem("DoesNotFit", "The evaluation takes more memory than there is: a limit, or fewer tasks, need less.")
    except OSError as error:
        if error.errno not in NO_ROOM:
            raise
        told = disk_full()
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode != sqlite3.SQLITE_FULL:
            raise
        told = disk_full()
    return fail(journal, told, EXITS)


def _run(places: Places, journal: Journal, ending: Ending, address: str, back_off: float) -> dict:
    sweep(places)
    recipe = recipe_of(read_json(places.existing("in/recipe.json", ("in",))))
    journal.say("progress", step="loading", done=0, of=1)
    store = Store(places.root / "tmp" / "evaluation.sqlite")
    rows = load(recipe, places, store)
    answers = Answers(places, journal, store)
    answers.take_kept(recipe.done)
    model = Model(address, Budget(recipe.budget, recipe.spent), back_off)
    task = Evaluation(recipe, places, journal, ending, store, answers, model, rows * len(recipe.subjects))
    try:
        return task.run(rows)
    finally:
        ending.instead = None
        model.close()
        store.close()


@dataclass
class Evaluation:
    """`scores` is how many there may be: of subjects, tasks and rows."""

    recipe: Recipe
    places: Places
    journal: Journal
    ending: Ending
    store: Store
    answers: Answers
    model: Model
    scores: int

    def run(self, rows: int) -> dict:
        """The values of the last line."""
        self._check(self._unusable)
        kept = self._asking()
        if any(task.is_judged for task in self.recipe.tasks):
            self._judging(kept)
        scoring = Scoring(self.recipe, self.places, self.store, self.journal)
        scored, rejected = scoring.run(rows)
        self._check(rejected)
        if scored == 0:
            raise Problem("NothingUsable", f"Nothing has a score: {rejected} answers or rows were rejected.", rejected=rejected)
        scoring.tell()
        self._measuring()
        return {"rows": scored, "rejected": rejected}

    @property
    def _unusable(self) -> int:
        return self.store.unusable() * len(self.recipe.subjects)

    def _check(self, rejected: int) -> None:
        percent = self.recipe.max_rejected_percent
        if rejected > self.scores * percent / 100:
            told = f"{rejected} of {self.scores} answers have no score, which is more than {percent:g} percent."
            raise Problem("TooManyRejected", told, failed=rejected, units=self.scores, percent=percent)

    def _usable(self) -> Iterator[Row]:
        return (row for row in self.store.rows() if row.reason is None)

    def _asking(self) -> int:
        """How many units are kept."""
        for row in self._usable():
            for number, subject in enumerate(self.recipe.subjects):
                self.store.need(row, number, 0, answer_key(self.recipe, row, subject))
        units, kept = self.store.count(False)
        self.journal.say("plan", units=units, kept=kept)
        questions = (question_of(self.recipe, row, subject) for row in self._usable() for subject in self.recipe.subjects)
        self._step("asking", questions, lambda unit: ask(self.model, unit))
        return kept

    def _judging(self, kept: int) -> None:
        for row, number, questions in self._judgements():
            for turn, question in enumerate(questions, 1):
                self.store.need(row, number, turn, question.key)
        units, known = self.store.count(True)
        self.journal.say("plan", units=units + self.store.count(False)[0], kept=kept + known)
        questions = (question for _, _, some in self._judgements() for question in some)
        self._step("judging", questions, lambda unit: judge(self.model, unit))

    def _judgements(self) -> Iterator[tuple[Row, int, list[Question]]]:
        """Of each answer that a judge looks at."""
        baseline = next((n for n, subject in enumerate(self.recipe.subjects) if subject.key == self.recipe.baseline), None)
        for row in self._usable():
            task = self.recipe.tasks[row.task]
            if not task.is_judged:
                continue
            told = [self.store.get(self.store.needed(row, number)[0]) for number in range(len(self.recipe.subjects))]
            for number, subject in enumerate(self.recipe.subjects):
                if told[number].reason is None and not (task.metric == "Pairwise" and number == baseline):
                    other = None if baseline is None else told[baseline].answer
                    yield row, number, judgements_of(self.recipe, row, subject, told[number].answer, other)

    def _step(self, name: str, questions: Iterator[Question], do: Callable[[Question], list[dict]]) -> None:
        """Asks what is not known yet; each answer is kept."""
        is_judging = name == "judging"
        of, done = self.store.count(is_judging)
        before = self._unusable + (self.store.failed(False) if is_judging else 0)
        counter = _Counter(before + self.store.failed(is_judging))
        self.journal.progress(name, done, of)

        def took(results: list[Result]) -> None:
            nonlocal done
            self.answers.take(results)
            done += len(results)
            for result in results:
                counter.add(result, self.store.weight(result.unit.key))
            self.journal.progress(name, done, of)

        def check() -> None:
            # The exact number takes a while; a row of two judgements may count twice before.
            if counter.rejected > self.scores * self.recipe.max_rejected_percent / 100:
                counter.blame()
                self._check(before + self.store.failed(is_judging))

        self.ending.instead = self.model.close
        in_bundles(self._unknown(questions), each(do), took, check, self.model)
        self.ending.instead = None
        if self.ending.is_asked:
            raise AskedToEnd
        if self.model.budget.is_spent:
            raise BudgetSpent

    def _unknown(self, questions: Iterator[Question]) -> Iterator[Question]:
        seen: set[bytes] = set()
        for question in questions:
            key = bytes.fromhex(question.key)
            if key not in seen and self.store.get(question.key) is None:
                seen.add(key)
                yield question

    def _measuring(self) -> None:
        told = self.recipe.performance
        if told is None:
            return
        steps = [(subject, level) for subject in self.recipe.subjects for level in told.concurrency]
        # A measurement is of no use in half.
        for done, (subject, level) in enumerate(steps):
            self.journal.say("progress", step="measuring", done=done, of=len(steps))
            self.journal.say("load", subject=subject.key, **measured(self.model, subject.model, told, level, self.recipe.seed))
        self.journal.say("progress", step="measuring", done=len(steps), of=len(steps))


class _Counter:
    """What became of a step's units in this run, by the model that was asked."""

    def __init__(self, rejected: int) -> None:
        self.rejected = rejected
        self._done: set[str] = set()
        self._silent: set[str] = set()

    def add(self, result: Result, weight: int) -> None:
        name = result.unit.body["model"]
        if result.state == "done":
            self._done.add(name)
            return
        self.rejected += weight
        if result.reason in PASSING:
            self._silent.add(name)

    def blame(self) -> None:
        """Raises a Problem where a model has not answered at all."""
        for name in sorted(self._silent - self._done):
            told = f"The model {name} does not answer. What others answered is kept: a run goes on from there."
            raise Problem("ModelNotAnswering", told, model=name[:200])
