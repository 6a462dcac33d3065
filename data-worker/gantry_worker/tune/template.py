"""Conversations as text, by the chat template of a base: a program of a stranger's, in a sandbox, with what transformers gives it."""

import json
import os
from datetime import datetime

import jinja2
from jinja2 import nodes
from jinja2.ext import Extension, loopcontrols
from jinja2.sandbox import ImmutableSandboxedEnvironment, SecurityError
from jinja2.utils import Namespace

from ..cells import short
from ..limits import RENDERED_CHARS, TEMPLATE_ERROR_CHARS
from ..problem import Problem
from .rows import Messages

# Of a power: no template needs a larger number, and one takes the processor for minutes.
_MOST_POWER_BITS = 4_096


class _Generation(Extension):
    """What the assistant says, in templates that mark it. Where that is, our own rule finds for all templates."""

    tags = {"generation"}

    def parse(self, parser):
        line = next(parser.stream).lineno
        body = parser.parse_statements(("name:endgeneration",), drop_needle=True)
        return nodes.CallBlock(self.call_method("_said"), [], [], body).set_lineno(line)

    def _said(self, caller) -> str:
        return caller()


class _Dict:
    """The type itself would be a way to its attributes."""

    def __call__(self, *args, **named):
        return dict(*args, **named)

    def fromkeys(self, *args):
        return dict.fromkeys(*args)


class _Namespace(Namespace):
    def __init__(*args, **named):
        self, *others = args
        attributes = dict(*others, **named)
        for name in attributes:
            _check_name(name)
        Namespace.__init__(self, attributes)

    def __setitem__(self, name, value) -> None:
        _check_name(name)
        Namespace.__setitem__(self, name, value)


def _check_name(name: object) -> None:
    if isinstance(name, str) and name.startswith("_"):
        raise SecurityError(f"A namespace has no attribute {name!r}.")


class _Environment(ImmutableSandboxedEnvironment):
    intercepted_binops = frozenset(["**"])

    def call_binop(self, context, operator: str, left, right):
        sizes = left, right
        if all(isinstance(one, int) for one in sizes) and abs(left).bit_length() * abs(right) > _MOST_POWER_BITS:
            raise SecurityError("A power is too large.")
        return super().call_binop(context, operator, left, right)


def _to_json(value, ensure_ascii=False, indent=None, separators=None, sort_keys=False) -> str:
    """Without the escapes for HTML."""
    return json.dumps(value, ensure_ascii=ensure_ascii, indent=indent, separators=separators, sort_keys=sort_keys)


def _refuse(message):
    raise jinja2.TemplateError(message)


def _environment() -> _Environment:
    made = _Environment(trim_blocks=True, lstrip_blocks=True, extensions=[_Generation, loopcontrols])
    made.filters["tojson"] = _to_json
    made.globals.update(
        raise_exception=_refuse, strftime_now=lambda form: datetime.now().strftime(form), dict=_Dict(), namespace=_Namespace
    )
    return made


class Template:
    """`specials` are the names of special tokens with their text, such as bos_token."""

    def __init__(self, source: str, specials: dict[str, str]) -> None:
        self._specials = specials
        with _broken("cannot be read"):
            self._template = _environment().from_string(source)

    def text(self, messages: Messages, asks: bool = False) -> str:
        """Of a conversation. `asks`: up to where the assistant begins to answer."""
        with _broken("fails on a conversation"):
            # Copies: what a template does to them is its own.
            given = [dict(one) for one in messages]
            told = self._template.render(messages=given, tools=None, documents=None, add_generation_prompt=asks, **self._specials)
        if len(told) > RENDERED_CHARS:
            raise Problem("TemplateBroken", f"The base's chat template writes more than {RENDERED_CHARS} characters for a conversation.", detail="it writes too much")
        return told

    def pieces(self, messages: Messages) -> list[tuple[str, bool]]:
        """Text, and whether it is trained on: what the assistant says, up to where its turn ends."""
        whole = self.text(messages)
        spans = [self._span(whole, messages, at) for at, one in enumerate(messages) if one["role"] == "assistant"]
        told, at = [], 0
        # A template may write earlier turns otherwise than the last: those are not trained on.
        for start, end in filter(None, spans):
            if start < at:
                continue
            told += [(whole[at:start], False), (whole[start:end], True)]
            at = end
        return [piece for piece in [*told, (whole[at:], False)] if piece[0]]

    def _span(self, whole: str, messages: Messages, at: int) -> tuple[int, int] | None:
        asked, answered = self.text(messages[:at], asks=True), self.text(messages[: at + 1])
        if not whole.startswith(answered):
            return None
        start = _common(asked, answered)
        return (start, len(answered)) if start < len(answered) else None

    def answers(self, asked: Messages, chosen: str, rejected: str) -> tuple[str, str, str]:
        """Of DPO: what is asked, and what both answers add to it."""
        prompt = self.text(asked, asks=True)
        both = (self.text([*asked, {"role": "assistant", "content": answer}]) for answer in (chosen, rejected))
        better, worse = (whole[_common(prompt, whole) :] for whole in both)
        return prompt, better, worse


def _common(a: str, b: str) -> int:
    """How long their common beginning is."""
    return len(b) if a.startswith(b) else len(os.path.commonprefix([a, b]))


class _broken:
    """Whatever goes wrong in a template, as a Problem."""

    def __init__(self, how: str) -> None:
        self._how = how

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind, error, trace) -> None:
        if error is None or isinstance(error, Problem) or not isinstance(error, Exception):
            return
        why = "it takes too much memory" if isinstance(error, MemoryError) else (str(error).strip().splitlines() or [kind.__name__])[0]
        told = short(why.encode("utf-8", "replace").decode(), TEMPLATE_ERROR_CHARS)
        raise Problem("TemplateBroken", f"The base's chat template {self._how}: {told}", detail=told) from error
