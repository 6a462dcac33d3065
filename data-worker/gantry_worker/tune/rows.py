"""Rows of a table as conversations. A row that is none is not trained on, and there is a reason."""

import json
import math

from ..limits import MESSAGES, RENDERED_CHARS

ROLES = ("system", "user", "assistant", "tool")

Messages = list[dict[str, str]]


class Unusable(Exception):
    """`reason` is one of REASONS."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


# NotMessages: no list of messages with a role and text each. SameAnswers: of DPO, no answer is the better one. NothingTrained: what is cut
# off leaves nothing of the answer, or the template writes none.
REASONS = ("NoPrompt", "NoAnswer", "NotMessages", "NoAssistant", "SameAnswers", "NothingTrained")


def conversation_of(row: dict) -> Messages:
    """Of SFT: `row` has the values by their names in the recipe. Raises Unusable."""
    if "messages" in row:
        messages = _messages(row["messages"])
        if messages is None:
            raise Unusable("NotMessages")
        if not any(one["role"] == "assistant" for one in messages):
            raise Unusable("NoAssistant")
        return messages
    asked, answer = asked_of(row), text_of(row.get("answer"))
    if answer is None:
        raise Unusable("NoAnswer")
    return [*asked, {"role": "assistant", "content": answer}]


def preference_of(row: dict) -> tuple[Messages, str, str]:
    """Of DPO: what was asked, the better answer, the worse one. Raises Unusable."""
    asked, chosen, rejected = asked_of(row), _answer(row.get("chosen")), _answer(row.get("rejected"))
    if chosen is None or rejected is None:
        raise Unusable("NoAnswer")
    if chosen == rejected:
        raise Unusable("SameAnswers")
    return asked, chosen, rejected


def asked_of(row: dict) -> Messages:
    """What a model is asked: a prompt, or a list of messages, perhaps with a system message before it."""
    messages = _messages(row.get("prompt"))
    if messages is None:
        prompt = text_of(row.get("prompt"))
        if prompt is None:
            raise Unusable("NoPrompt")
        messages = [{"role": "user", "content": prompt}]
    system = text_of(row.get("system"))
    return [{"role": "system", "content": system}, *messages] if system else messages


def _answer(value: object) -> str | None:
    """Some datasets have it as the last message of a conversation."""
    messages = _messages(value)
    return text_of(messages[-1]["content"]) if messages else text_of(value)


def _messages(value: object) -> Messages | None:
    """A list of messages, perhaps as JSON."""
    if isinstance(value, str) and value.lstrip().startswith("["):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            return None
    if not (isinstance(value, list) and 1 <= len(value) <= MESSAGES):
        return None
    told = [{"role": one.get("role"), "content": one.get("content")} for one in value if isinstance(one, dict)]
    is_whole = len(told) == len(value) and all(one["role"] in ROLES and _is_text(one["content"]) for one in told)
    return told if is_whole and sum(len(one["content"]) for one in told) <= RENDERED_CHARS else None


def text_of(value: object) -> str | None:
    """What is neither text nor a finite number is nothing to train on."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    if isinstance(value, float) and not math.isfinite(value):
        return None
    told = str(value)
    return told if told.strip() and len(told) <= RENDERED_CHARS and _is_text(told) else None


def _is_text(value: object) -> bool:
    """JSON may have halves of characters, which no tokenizer reads."""
    if not isinstance(value, str):
        return False
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True
