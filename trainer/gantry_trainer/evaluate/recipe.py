"""recipe.json of an evaluation: which models, on what, by which metrics. The gateway writes it; a field that is wrong is named all the same."""

import re
from dataclasses import dataclass

from gantry_worker.limits import UNITS
from gantry_worker.problem import Problem, bad_field
from gantry_worker.task.texts import sound

from ..fields import number, object_in, one_of, paths, whole
from .limits import RUBRIC_CHARS, SUBJECTS, TASKS

# By a rule, and by a judge.
TEXT_METRICS = ("ExactMatch", "F1", "RougeL")
JUDGED_METRICS = ("Judge", "Pairwise")
_KEY = re.compile("[0-9]{1,2}")
_NAME_CHARS = 256
_LEVELS = 8


@dataclass(frozen=True)
class Subject:
    """`model` is what the relay is asked for."""

    key: str
    model: str


@dataclass(frozen=True)
class Task:
    """`columns`: prompt, and perhaps answer and system, by the names that the table has for them."""

    key: str
    metric: str
    parts: list[str]
    columns: dict[str, str]

    @property
    def is_judged(self) -> bool:
        return self.metric in JUDGED_METRICS


@dataclass(frozen=True)
class Judge:
    model: str
    rubric: str


@dataclass(frozen=True)
class Performance:
    concurrency: list[int]
    prompt_tokens: int
    answer_tokens: int
    seconds: int


@dataclass(frozen=True)
class Recipe:
    subjects: list[Subject]
    tasks: list[Task]
    judge: Judge | None
    # A subject's key.
    baseline: str | None
    # None: all rows.
    limit: int | None
    seed: int
    max_tokens: int
    max_rejected_percent: float
    performance: Performance | None
    budget: int | None
    spent: int
    done: object


def recipe_of(given: object) -> Recipe:
    """Raises a Problem that names the first field that breaks its rule."""
    if not isinstance(given, dict):
        raise bad_field("recipe", "must be an object")
    if given.get("kind", "Evaluation") != "Evaluation":
        raise bad_field("kind", "must be Evaluation")
    subjects = [Subject(_key(one, "subjects"), _name(one, "model", "subjects.model")) for one in _objects(given, "subjects", SUBJECTS)]
    tasks = [_task(one) for one in _objects(given, "tasks", TASKS)]
    for name, some in (("subjects", subjects), ("tasks", tasks)):
        if len({one.key for one in some}) < len(some):
            raise bad_field(f"{name}.key", "must differ from one to the other")
    baseline = given.get("baseline")
    if baseline is not None and baseline not in [one.key for one in subjects]:
        raise bad_field("baseline", "must be the key of a subject")
    judge = _judge(given)
    if judge is None and any(task.is_judged for task in tasks):
        raise bad_field("judge", f"is needed by {' and '.join(JUDGED_METRICS)}")
    if baseline is None and any(task.metric == "Pairwise" for task in tasks):
        raise bad_field("baseline", "is needed by Pairwise")
    return Recipe(
        subjects=subjects,
        tasks=tasks,
        judge=judge,
        baseline=baseline,
        limit=whole(given, "limit", 1, UNITS, None),
        seed=whole(given, "seed", 0, 2**32 - 1, 0),
        max_tokens=whole(given, "maxTokens", 1, 32_768, 256),
        max_rejected_percent=number(given, "maxRejectedPercent", 0, 100, 10),
        performance=_performance(given),
        budget=whole(given, "budget", 1, 2**53, None),
        spent=whole(given, "spent", 0, 10**15, 0),
        done=given.get("done", []),
    )


def _task(given: dict) -> Task:
    key = _key(given, "tasks")
    if given.get("harness") is not None:
        name = _name(given, "harness", "tasks.harness")
        told = f"{name} is a task of lm_eval, which downloads its questions, and an evaluation reaches nothing: make a dataset of them."
        raise Problem("HarnessUnavailable", told, task=key)
    metric = one_of(given, "metric", (*TEXT_METRICS, *JUDGED_METRICS), "", "tasks.metric")
    return Task(key, metric, paths(given.get("parts"), "tasks.parts", 1), _columns(object_in(given, "columns"), metric))


def _columns(given: dict, metric: str) -> dict[str, str]:
    named = {name: _name(given, name, f"tasks.columns.{name}") for name in ("prompt", "answer", "system") if given.get(name) is not None}
    named = named or {"prompt": "question", "answer": "answer"}
    if "prompt" not in named:
        raise bad_field("tasks.columns", "must name prompt")
    if "answer" not in named and metric in TEXT_METRICS:
        raise bad_field("tasks.columns", f"must name answer with {metric}")
    return named


def _judge(given: dict) -> Judge | None:
    if given.get("judge") is None:
        return None
    told = object_in(given, "judge")
    rubric = told.get("rubric") or ""
    if not (isinstance(rubric, str) and len(rubric) <= RUBRIC_CHARS):
        raise bad_field("judge.rubric", f"must be text of at most {RUBRIC_CHARS} characters")
    return Judge(_name(told, "model", "judge.model"), sound(rubric).strip())


def _performance(given: dict) -> Performance | None:
    if given.get("performance") is None:
        return None
    told = object_in(given, "performance")
    at = "performance."
    levels = told.get("concurrency", [1])
    if not (isinstance(levels, list) and 1 <= len(levels) <= _LEVELS):
        raise bad_field("performance.concurrency", f"must be a list of 1 to {_LEVELS} numbers")
    return Performance(
        # The relay lets 64 calls wait, one of which is the probe's.
        concurrency=[whole({"concurrency": level}, "concurrency", 1, 63, 1, at) for level in levels],
        prompt_tokens=whole(told, "promptTokens", 1, 32_768, 128, at),
        answer_tokens=whole(told, "answerTokens", 1, 8_192, 64, at),
        seconds=whole(told, "seconds", 1, 600, 20, at),
    )


def _objects(given: dict, name: str, most: int) -> list[dict]:
    told = given.get(name)
    if not (isinstance(told, list) and 1 <= len(told) <= most and all(isinstance(one, dict) for one in told)):
        raise bad_field(name, f"must be a list of 1 to {most} objects")
    return told


def _key(given: dict, field: str) -> str:
    value = given.get("key")
    if not (isinstance(value, str) and _KEY.fullmatch(value)):
        raise bad_field(f"{field}.key", "must be a text of one or two digits")
    return value


def _name(given: dict, name: str, field: str) -> str:
    value = given.get(name)
    if not (isinstance(value, str) and 1 <= len(value) <= _NAME_CHARS):
        raise bad_field(field, f"must be text of 1 to {_NAME_CHARS} characters")
    return sound(value)
