"""A base's tokenizer, from the files that transformers reads: tokenizer.json, and what stands beside it of special tokens and templates.

tokenizer.json is used as it is. transformers builds some tokenizers anew: what is counted here is of those a good guess.
"""

import json
from dataclasses import dataclass
from pathlib import Path

from tokenizers import AddedToken, Tokenizer

from ..cells import short
from ..limits import TEMPLATE_ERROR_CHARS, TEMPLATE_CHARS
from ..problem import Problem

_NAMED = tuple(f"{name}_token" for name in ("bos", "eos", "unk", "sep", "pad", "cls", "mask"))


@dataclass(frozen=True)
class TokenizerFiles:
    tokenizer: Path
    config: Path | None
    template: Path | None
    special: Path | None


class BaseTokenizer:
    def __init__(self, files: TokenizerFiles) -> None:
        config = _object(files.config, "tokenizer_config.json")
        added = _added(config.get("added_tokens_decoder"))
        # Older bases have their special tokens in a file of their own.
        if added is None:
            config = {**config, **_object(files.special, "special_tokens_map.json")}
        self.specials = {name: text for name in _NAMED if (text := _content(config.get(name)))}
        self.template = _template(files.template, config)
        others = config.get("extra_special_tokens") or config.get("additional_special_tokens")
        extra = [text for one in others if (text := _content(one))] if isinstance(others, list) else []
        self._tokenizer = _read(files.tokenizer, [*(added or {}).values(), *self.specials.values(), *extra])

    def tokens(self, text: str) -> list[tuple[int, str]]:
        """Ids, and the text that each stands for: a character of several tokens stands at its first. The template wrote the special ones."""
        found = self._encoded(text)
        told, at = [], 0
        for id, (_, end) in zip(found.ids, found.offsets, strict=True):
            told.append((id, text[at:end]))
            at = max(at, end)
        return told

    def count(self, text: str) -> int:
        return len(self._encoded(text).ids)

    def _encoded(self, text: str):
        try:
            return self._tokenizer.encode(text, add_special_tokens=False)
        except (Problem, MemoryError):
            raise
        # Its panics are no Exceptions.
        except BaseException as error:
            raise _broken("tokenizer.json", error) from error


def _read(file: Path, specials: list[AddedToken | str]) -> Tokenizer:
    try:
        made = Tokenizer.from_file(str(file))
        made.no_truncation()
        made.no_padding()
        missing = [one for one in specials if made.token_to_id(str(one) if isinstance(one, str) else one.content) is None]
        made.add_tokens([one if isinstance(one, AddedToken) else AddedToken(one, special=True) for one in missing])
        return made
    except MemoryError:
        raise
    except BaseException as error:
        raise _broken("tokenizer.json", error) from error


def _added(value: object) -> dict[int, AddedToken] | None:
    """By their ids, so that they get these in their order."""
    if not isinstance(value, dict):
        return None
    told = {}
    for id, one in value.items():
        if not (str(id).isascii() and str(id).isdigit() and isinstance(one, dict) and isinstance(one.get("content"), str)):
            raise _told("tokenizer_config.json has an added token that is none")
        flags = {name: one[name] for name in ("single_word", "lstrip", "rstrip", "normalized", "special") if isinstance(one.get(name), bool)}
        told[int(id)] = AddedToken(one["content"], **flags)
    return dict(sorted(told.items()))


def _content(value: object) -> str | None:
    told = value.get("content") if isinstance(value, dict) else value
    return told if isinstance(told, str) else None


def _template(file: Path | None, config: dict) -> str:
    """A file of its own goes first. Of several in the settings, the one called default."""
    told: object = config.get("chat_template")
    if file is not None:
        told = _text(file, "chat_template.jinja")
    if isinstance(told, list):
        told = next((one.get("template") for one in told if isinstance(one, dict) and one.get("name") == "default"), None)
    if not isinstance(told, str) or not told:
        raise Problem("TemplateMissing", "The base has no chat template, so nobody can say how a conversation is written for it.")
    if len(told) > TEMPLATE_CHARS:
        raise Problem("TemplateBroken", f"The base's chat template has more than {TEMPLATE_CHARS} characters.", detail="it is too long")
    return told


def _object(file: Path | None, name: str) -> dict:
    if file is None:
        return {}
    try:
        told = json.loads(_text(file, name))
    except (ValueError, RecursionError) as error:
        raise _told(f"{name} is not JSON") from error
    if not isinstance(told, dict):
        raise _told(f"{name} is no object")
    return told


def _text(file: Path, name: str) -> str:
    try:
        return file.read_bytes().decode()
    except UnicodeDecodeError as error:
        raise _told(f"{name} is not UTF-8") from error


def _broken(name: str, error: BaseException) -> Problem:
    return _told(f"{name}: {(str(error).strip().splitlines() or [type(error).__name__])[0]}")


def _told(detail: str) -> Problem:
    told = short(detail, TEMPLATE_ERROR_CHARS)
    return Problem("TokenizerBroken", f"The base's tokenizer cannot be used: {told}", detail=told)
