"""Structured answers: the request with its schema, and what of the answer fits it. One answer that does not is asked for again."""

import json
from collections.abc import Callable

from ..limits import ASKED_BYTES
from .model import Model, UnitFailed
from .recipe import Recipe
from .texts import sound, tokens
from .unit import Unit

_AGAIN = "The last answer was not JSON of the given schema, or too long. Answer again, with such JSON and nothing else."


def request_of(recipe: Recipe, unit: Unit, instructions: str, schema: dict, output: int) -> dict:
    """The body of a call about the unit's paragraphs."""
    data = {"paragraphs": [{"n": number - unit.first + 1, "text": text} for number, text in unit.paragraphs]}
    return structured(recipe.model, instructions, data, schema, output)


def structured(model: str, instructions: str, data: dict, schema: dict, output: int) -> dict:
    """The body of a call whose answer has a schema. Text is data: it stands as JSON in a message of its own, and no call but this one has it."""
    return {
        "model": model,
        "temperature": 0,
        "max_tokens": output,
        "messages": [
            {"role": "system", "content": instructions},
            {"role": "user", "content": json.dumps(data, ensure_ascii=False)},
        ],
        "response_format": {"type": "json_schema", "json_schema": {"name": "answer", "strict": True, "schema": schema}},
    }


def input_tokens(body: dict) -> int:
    """Of what the model reads: messages and schema."""
    return sum(tokens(message["content"]) for message in body["messages"]) + tokens(json.dumps(body["response_format"]))


def asked(model: Model, unit: Unit, body: dict, output: int, fitting: Callable[[object], list | None]) -> list:
    """`fitting` gives the rows of an answer, or None where it is not in shape. `output` is the estimate of its tokens."""
    if len(unit.text.encode()) > ASKED_BYTES:
        raise UnitFailed("TooLong")
    reason = "AnswerNotInShape"
    for turn in range(2):
        more = [{"role": "user", "content": _AGAIN}] if turn else []
        asked = {**body, "messages": [*body["messages"], *more]}
        answer = model.post("/v1/chat/completions", asked, f"{unit.key}/{turn}", input_tokens(asked), output)
        content, is_cut = _content(answer)
        rows = None if content is None else fitting(content)
        if rows is not None:
            return rows
        reason = "AnswerCut" if is_cut else "AnswerNotInShape"
    raise UnitFailed(reason)


def _content(answer: dict) -> tuple[object, bool]:
    """What the model said as JSON, or None; and whether its length was the limit."""
    try:
        choice = answer["choices"][0]
        return json.loads(choice["message"]["content"]), choice.get("finish_reason") == "length"
    except (ValueError, RecursionError):
        return None, isinstance(choice, dict) and choice.get("finish_reason") == "length"
    except (KeyError, IndexError, TypeError, AttributeError):
        return None, False


def text_in(value: object, most: int, least: int = 1) -> str | None:
    """Text within its bounds, or None."""
    if not isinstance(value, str):
        return None
    told = sound(value).strip()
    return told if least <= len(told) <= most else None


def is_list_of_objects(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(one, dict) for one in value)
