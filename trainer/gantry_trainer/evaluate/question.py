"""What subjects are asked: one call for each subject, task and row. The same question to the same model is one unit."""

import hashlib
import json
from dataclasses import dataclass, field

from gantry_worker.task.model import Model, UnitFailed, usage_of
from gantry_worker.task.texts import sound, tokens
from gantry_worker.task.unit import Unit

from .limits import ANSWER_BYTES
from .recipe import Recipe, Subject
from .store import Row

# Other bodies, other answers: part of each key.
_VERSION = 1
# What a chat template and JSON may add to the bytes of a text, each of which is a token at most.
_MORE_TOKENS = 4_096


@dataclass(frozen=True)
class Question(Unit):
    """`body` is the call's."""

    body: dict = field(default_factory=dict)


def key_of(*told: object) -> str:
    return hashlib.sha256(json.dumps([_VERSION, *told], ensure_ascii=False).encode()).hexdigest()


def label_of(recipe: Recipe, row: Row, subject: Subject) -> str:
    return f"task {recipe.tasks[row.task].key}, row {row.number}, subject {subject.key}"


def answer_key(recipe: Recipe, row: Row, subject: Subject) -> str:
    return key_of("answer", subject.model, recipe.max_tokens, recipe.seed, row.messages)


def question_of(recipe: Recipe, row: Row, subject: Subject) -> Question:
    body = {
        "model": subject.model,
        "messages": json.loads(row.messages),
        "temperature": 0,
        "seed": recipe.seed,
        "max_tokens": recipe.max_tokens,
    }
    return Question(answer_key(recipe, row, subject), label_of(recipe, row, subject), ((1, row.messages),), row=row.number, body=body)


def ask(model: Model, unit: Question) -> list[dict]:
    """Raises UnitFailed where what comes is no answer."""
    most = unit.body["max_tokens"]
    asked = sum(tokens(message["content"]) for message in unit.body["messages"])
    answer = model.answer("/v1/chat/completions", unit.body, f"{unit.key}/0", asked, most)
    text = answer_in(answer.told)
    if len(text.encode()) > ANSWER_BYTES:
        raise UnitFailed("AnswerTooLong")
    used = usage_of(answer.told, asked, -1)
    return [
        {
            "answer": text,
            "ms": round(answer.seconds * 1_000, 1),
            # A count that cannot be is as one that is not said.
            "prompt_tokens": used[0] if used[0] <= len(unit.text.encode()) + _MORE_TOKENS else asked,
            "completion_tokens": used[1] if 0 <= used[1] <= most else min(most, tokens(text)),
        }
    ]


def answer_in(told: dict) -> str:
    """An empty answer is one. Raises UnitFailed."""
    try:
        content = told["choices"][0]["message"]["content"]
    except (KeyError, IndexError, TypeError) as error:
        raise UnitFailed("AnswerNotInShape") from error
    if content is not None and not isinstance(content, str):
        raise UnitFailed("AnswerNotInShape")
    return sound(content or "")
