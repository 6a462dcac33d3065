"""recipe.json: what the task is to do. The gateway writes it; a field that is wrong is named all the same."""

import hashlib
import json
import re
from dataclasses import dataclass, field

from ..limits import COLUMNS, PROMPT_CHARS
from ..problem import bad_field

# The instructions to models are part of a unit's key: other instructions, other answers.
PROMPT_VERSION = 1
DOCUMENT_COLUMNS = ("file", "kind", "page", "text")
_MODEL_NAME = 256
_PART_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,31}")


@dataclass(frozen=True)
class Recipe:
    type: str
    parameters: dict
    model: str
    embedding: str
    # `table` or `documents`: rows of file, kind, page, text.
    kind: str
    # Of a table: those that are read. Empty: all.
    columns: list[str]
    parts: list[str]
    max_rejected_percent: float = 10
    max_tokens: int | None = None
    # By earlier tries of the same run.
    tokens_spent: int = 0
    digest: bytes = field(default=b"", compare=False)

    @property
    def asks(self) -> bool:
        """A model is asked, so that what is done is kept."""
        return self.type in ("KnowledgeBase", "KnowledgeGraph") or self.parameters.get("rules") == "Model"

    def key(self, file: str, text: str) -> str:
        """Of a unit: the same content is the same unit, in whichever task, run or version."""
        return hashlib.sha256(self.digest + json.dumps([file, text]).encode()).hexdigest()


def recipe_of(given: object) -> Recipe:
    """Raises a Problem that names the first field that breaks its rule."""
    if not isinstance(given, dict):
        raise bad_field("recipe", "must be an object")
    kind = _one_of(given, "type", tuple(_PARAMETERS))
    parameters = _PARAMETERS[kind](_object(given, "parameters"))
    input = _object(given, "input")
    model, embedding = (_text(given, name, 0, _MODEL_NAME, "") for name in ("model", "embedding"))
    if kind == "KnowledgeBase" and not embedding:
        raise bad_field("embedding", "must name a model that makes vectors")
    if (kind == "KnowledgeGraph" or parameters.get("rules") == "Model") and not model:
        raise bad_field("model", "must name a model that answers")
    parts = input.get("parts")
    if not (isinstance(parts, list) and parts and all(isinstance(part, dict) for part in parts)):
        raise bad_field("input.parts", "must be a list of objects with path")
    spoken = [kind, parameters, model, embedding, PROMPT_VERSION]
    return Recipe(
        type=kind,
        parameters=parameters,
        model=model,
        embedding=embedding,
        kind=_one_of(input, "kind", ("table", "documents"), "input.kind"),
        columns=_names(input, "columns", "input.columns"),
        parts=[part.get("path") for part in parts],
        max_rejected_percent=_number(given, "maxRejectedPercent", 0, 100, 10),
        max_tokens=_whole(given, "maxTokens", 1, 2**53, None),
        tokens_spent=_whole(given, "tokensSpent", 0, 10**15, 0),
        digest=hashlib.sha256(json.dumps(spoken, sort_keys=True).encode()).digest(),
    )


def _qa(block: dict) -> dict:
    return {
        "pairsPerChunk": _whole(block, "pairsPerChunk", 1, 10, 3),
        "rules": _one_of(block, "rules", ("Model", "Headings")),
        "prompt": _text(block, "prompt", 0, PROMPT_CHARS, ""),
    }


def _chunks(block: dict) -> dict:
    most = _whole(block, "maxTokens", 16, 8_192, 512)
    return {"maxTokens": most, "overlap": _whole(block, "overlap", 0, most // 2, min(64, most // 2))}


def _graph(block: dict) -> dict:
    types = block.get("entityTypes", [])
    if not (isinstance(types, list) and len(types) <= 20 and all(isinstance(one, str) and 1 <= len(one) <= 64 for one in types)):
        raise bad_field("entityTypes", "must be a list of at most 20 names of 1 to 64 characters")
    return {"entityTypes": types}


def _clean(block: dict) -> dict:
    languages = block.get("languages", [])
    is_list = isinstance(languages, list) and len(languages) <= 50
    if not (is_list and all(isinstance(one, str) and re.fullmatch("[a-z]{2,3}", one) for one in languages)):
        raise bad_field("languages", "must be a list of at most 50 codes of ISO 639, in lower case")
    least = _whole(block, "minChars", 0, 10**7, 0)
    return {
        "duplicates": _one_of(block, "duplicates", ("None", "Exact", "Near"), default="None"),
        "maskPersonalData": block.get("maskPersonalData") is True,
        "minChars": least,
        "maxChars": _whole(block, "maxChars", max(1, least), 10**7, None),
        "languages": languages,
    }


def _split(block: dict) -> dict:
    parts = block.get("parts")
    if not (isinstance(parts, list) and 2 <= len(parts) <= 10 and all(isinstance(part, dict) for part in parts)):
        raise bad_field("parts", "must be a list of 2 to 10 objects with name and percent")
    told = []
    for part in parts:
        name = part.get("name")
        if not (isinstance(name, str) and _PART_NAME.fullmatch(name)):
            raise bad_field("parts.name", "must be 1 to 32 letters, digits, - and _, and begin with a letter or digit")
        told.append({"name": name, "percent": _number(part, "percent", 0.01, 100, None)})
    if len({part["name"].lower() for part in told}) < len(told):
        raise bad_field("parts.name", "must differ from part to part")
    if abs(sum(part["percent"] for part in told) - 100) > 1e-6:
        raise bad_field("parts.percent", "must add up to 100")
    return {"parts": told, "seed": _whole(block, "seed", 0, 2**53, 0)}


def _convert(block: dict) -> dict:
    return {
        "format": _one_of(block, "format", ("JsonLines", "Csv", "Parquet")),
        "columns": _names(block, "columns", "columns"),
    }


_PARAMETERS = {
    "QaPairs": _qa,
    "KnowledgeBase": _chunks,
    "KnowledgeGraph": _graph,
    "Clean": _clean,
    "Split": _split,
    "Convert": _convert,
}


def _object(given: dict, name: str) -> dict:
    if not isinstance(given.get(name), dict):
        raise bad_field(name, "must be an object")
    return given[name]


def _one_of(given: dict, name: str, choices: tuple, field: str = "", default: str | None = None) -> str:
    value = given.get(name, default)
    if not (isinstance(value, str) and value in choices):
        raise bad_field(field or name, f"must be one of {', '.join(choices)}")
    return value


def _text(given: dict, name: str, least: int, most: int, default: str) -> str:
    value = default if given.get(name) is None else given[name]
    if not (isinstance(value, str) and least <= len(value) <= most):
        raise bad_field(name, f"must be text of {least} to {most} characters")
    return value


def _whole(given: dict, name: str, least: int, most: int, default: int | None):
    value = default if given.get(name) is None else given[name]
    if value is not None and not (isinstance(value, int) and not isinstance(value, bool) and least <= value <= most):
        raise bad_field(name, f"must be a whole number from {least} to {most}")
    return value


def _number(given: dict, name: str, least: float, most: float, default: float | None) -> float:
    value = default if given.get(name) is None else given[name]
    if not (isinstance(value, int | float) and not isinstance(value, bool) and least <= value <= most):
        raise bad_field(name, f"must be a number from {least} to {most}")
    return value


def _names(given: dict, name: str, field: str) -> list[str]:
    value = [] if given.get(name) is None else given[name]
    if not (isinstance(value, list) and len(value) <= COLUMNS and all(isinstance(one, str) for one in value)):
        raise bad_field(field, f"must be a list of at most {COLUMNS} names of columns")
    return value
