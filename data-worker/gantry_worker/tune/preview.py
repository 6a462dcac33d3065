"""What a fine-tuning task would train on: the first examples as text and tokens, and how many tokens all have, by a sample."""

import signal
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from ..engine import ROW_NUMBER, Engine, literal, parquet, parts_of, quoted
from ..limits import (
    COLUMN_NAME_CHARS,
    DATASETS,
    EXAMPLE_TOKENS,
    EXAMPLES,
    ROW_SECONDS,
    SAMPLED_BLOCK,
    SAMPLED_BYTES,
    SAMPLED_ROWS,
    SAMPLED_SECONDS,
    TOKENIZER_BYTES,
    TUNE_SECONDS,
)
from ..places import Places
from ..problem import Problem, bad_field
from ..tasks import Job
from .rows import Unusable, conversation_of, preference_of
from .template import Template
from .tokenizer import BaseTokenizer, TokenizerFiles

_OBJECTIVES = ("SFT", "DPO")
_COLUMNS = ("prompt", "answer", "system", "messages", "chosen", "rejected")
_LONGEST = (16, 131_072)


def run(job: Job) -> dict:
    """{objective, columns, maxLength, data: [[paths]], base: {tokenizer, config?, template?, special?}} → {examples, sets, isExact}.

    An example: {set, row, pieces: [{tokens: [[id, text]], isTrained, isCut}], tokens, isTooLong} or {set, row, reason}. A set: {rows,
    sampled, usable, tokens, longest, cut, unusable: {reason: count}}, the tokens of the sample as they are trained on, `longest` before the cut.
    """
    recipe = _recipe(job.request, job.places)
    engine = Engine(job.limits, job.places)
    tables = [_Table(engine, parts, recipe.columns, at) for at, parts in enumerate(recipe.data)]
    engine.lock([part for parts in recipe.data for part in parts])
    tokenizer = BaseTokenizer(recipe.base)
    writer = _Writer(recipe, Template(tokenizer.template, tokenizer.specials), tokenizer)
    examples: list[dict] = []
    sets = []
    until = time.monotonic() + SAMPLED_SECONDS
    for at, table in enumerate(tables):
        # What one leaves of its share is for those behind it.
        share = (until - time.monotonic()) / (len(tables) - at)
        sets.append(_counted(table, writer, examples, _shown_of(at, len(tables)), at, share, SAMPLED_BYTES // len(tables)))
    return {"examples": examples, "sets": [one.told() for one in sets], "isExact": all(one.rows == one.sampled for one in sets)}


def _shown_of(at: int, sets: int) -> int:
    """How many examples the first sets have: each one, and the first what is left."""
    return max(1, EXAMPLES - sets + 1) if at == 0 else 1 if at < EXAMPLES else 0


@dataclass(frozen=True)
class _Recipe:
    objective: str
    columns: dict[str, str]
    max_length: int
    data: list[list[Path]]
    base: TokenizerFiles


def _recipe(given: dict, places: Places) -> _Recipe:
    if given.get("objective") not in _OBJECTIVES:
        raise bad_field("objective", f"must be one of {', '.join(_OBJECTIVES)}")
    columns, data, base, most = (given.get(name) for name in ("columns", "data", "base", "maxLength"))
    if not (isinstance(columns, dict) and columns and all(name in _COLUMNS and _is_column(value) for name, value in columns.items())):
        raise bad_field("columns", f"must name columns for some of {', '.join(_COLUMNS)}")
    if isinstance(most, bool) or not (isinstance(most, int) and _LONGEST[0] <= most <= _LONGEST[1]):
        raise bad_field("maxLength", f"must be a whole number from {_LONGEST[0]} to {_LONGEST[1]}")
    if not (isinstance(data, list) and 1 <= len(data) <= DATASETS):
        raise bad_field("data", f"must be a list of 1 to {DATASETS} lists of paths")
    if not isinstance(base, dict):
        raise bad_field("base", "must be an object")
    files = {name: base.get(name) and places.existing(base[name], ("in", "out"), f"base.{name}") for name in ("tokenizer", "config", "template", "special")}
    if not files["tokenizer"]:
        raise Problem("TokenizerMissing", "The base has no tokenizer.json, from which its tokens could be counted.")
    if sum(file.stat().st_size for file in files.values() if file) > TOKENIZER_BYTES:
        raise Problem("TokenizerBroken", f"The base's tokenizer has more than {TOKENIZER_BYTES} bytes.", detail=f"it has more than {TOKENIZER_BYTES} bytes")
    return _Recipe(given["objective"], columns, most, [parts_of(places, parts, "data") for parts in data], TokenizerFiles(**files))


def _is_column(value: object) -> bool:
    return isinstance(value, str) and 1 <= len(value) <= COLUMN_NAME_CHARS


class _Table:
    """Rows of one dataset, with their numbers, in the order in which a sample takes them."""

    def __init__(self, engine: Engine, parts: list[Path], columns: dict[str, str], at: int) -> None:
        self._engine, self._columns = engine, columns
        with engine.problems(SAMPLED_SECONDS):
            there = {name for name, _ in engine.columns(f"FROM {parquet(parts)}")}
            for column in columns.values():
                if column not in there:
                    raise Problem("NoSuchColumn", f"Dataset {at + 1} has no column {column}.", column=column, dataset=at + 1)
            sizes = dict(engine.rows(f"SELECT file_name, num_rows FROM parquet_file_metadata({literal([str(part) for part in parts])})"))
        self._parts = [(part, int(sizes[str(part)])) for part in parts]
        self.rows = sum(rows for _, rows in self._parts)

    def sample(self) -> Iterator[tuple[int, dict]]:
        """From 1 on. All of a small table; of a large one blocks from all over it, the first one first."""
        for start in _starts(self.rows):
            first = 0
            for part, rows in self._parts:
                low, high = max(start, first) - first, min(start + SAMPLED_BLOCK, first + rows) - first
                if low < high:
                    for number, *values in self._between(part, low, high):
                        yield first + number + 1, dict(zip(self._columns, values, strict=True))
                first += rows

    def _between(self, part: Path, low: int, high: int) -> Iterator[tuple]:
        names = ", ".join(quoted(column) for column in self._columns.values())
        where = f"{ROW_NUMBER} BETWEEN {low} AND {high - 1}"
        return self._engine.stream(f"SELECT {ROW_NUMBER}, {names} FROM {parquet([part], file_row_number=True)} WHERE {where}", TUNE_SECONDS)


def _starts(rows: int) -> list[int]:
    """Where blocks begin. A sample that breaks off has been everywhere: each next one is far from the one before."""
    if rows <= SAMPLED_ROWS:
        return list(range(0, rows, SAMPLED_BLOCK))
    blocks = SAMPLED_ROWS // SAMPLED_BLOCK
    # Odd, and so each comes once: their number is a power of two.
    order = [at * 7 % blocks for at in range(blocks)]
    return [at * (rows - SAMPLED_BLOCK) // (blocks - 1) for at in order]


@dataclass
class _Count:
    rows: int
    sampled: int = 0
    usable: int = 0
    tokens: int = 0
    longest: int = 0
    cut: int = 0
    unusable: Counter = field(default_factory=Counter)

    def told(self) -> dict:
        return {**self.__dict__, "unusable": dict(self.unusable)}


def _counted(table: _Table, writer: "_Writer", examples: list[dict], wanted: int, at: int, seconds: float, most_bytes: int) -> _Count:
    told = _Count(table.rows)
    until = time.monotonic() + seconds
    for number, row in table.sample():
        with _in_time(at, number):
            try:
                pieces = writer.pieces(row)
                size = writer.size(pieces)
                shown = writer.shown(pieces, size) if told.sampled < wanted else {}
            except Unusable as error:
                size, shown = None, {"reason": error.reason}
                told.unusable[error.reason] += 1
        if told.sampled < wanted:
            examples.append({"set": at, "row": number, **shown})
        told.sampled += 1
        if size:
            told.usable += 1
            told.tokens += size.trained_on
            told.longest = max(told.longest, size.longest)
            told.cut += size.is_cut
        most_bytes -= sum(len(value) for value in row.values() if isinstance(value, str)) if size is None else size.chars
        if most_bytes < 0 or time.monotonic() > until:
            break
    return told


@contextmanager
def _in_time(at: int, row: int):
    """A template that does not end is interrupted; code of libraries that does not is ended with the process, by the processor's time."""

    def late(number: int, frame: object) -> None:
        told = f"Row {row} of dataset {at + 1} takes longer than {ROW_SECONDS} s to be written by the base's chat template."
        raise Problem("TemplateBroken", told, detail=f"row {row} of dataset {at + 1} takes longer than {ROW_SECONDS} s")

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGALRM, late)
    signal.setitimer(signal.ITIMER_REAL, ROW_SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@dataclass(frozen=True)
class _Size:
    """In tokens: of what the model sees in a step, and of the longest sequence before it is cut."""

    trained_on: int
    longest: int
    is_cut: bool
    chars: int


Pieces = list[tuple[str, bool]]


class _Writer:
    """Rows as pieces of text, with whether each is trained on: as the trainer makes them."""

    def __init__(self, recipe: _Recipe, template: Template, tokenizer: BaseTokenizer) -> None:
        self._is_sft, self._most = recipe.objective == "SFT", recipe.max_length
        self._template, self._tokenizer = template, tokenizer

    def pieces(self, row: dict) -> Pieces:
        if self._is_sft:
            return self._template.pieces(conversation_of(row))
        prompt, *answers = self._template.answers(*preference_of(row))
        return [(prompt, False), *((answer, True) for answer in answers)]

    def size(self, pieces: Pieces) -> _Size:
        """Raises Unusable where nothing is left to train on."""
        counts = [self._tokenizer.count(text) for text, _ in pieces]
        chars = sum(len(text) for text, _ in pieces)
        if self._is_sft:
            at, trains = 0, False
            for count, (_, is_trained) in zip(counts, pieces, strict=True):
                trains = trains or (is_trained and count > 0 and at < self._most)
                at += count
            if not trains:
                raise Unusable("NothingTrained")
            return _Size(min(at, self._most), at, at > self._most, chars)
        prompt, *answers = counts
        left = self._most - prompt
        if left < 1 or 0 in answers:
            raise Unusable("NothingTrained")
        longest = max(answers)
        return _Size(sum(prompt + min(answer, left) for answer in answers), prompt + longest, longest > left, chars)

    def shown(self, pieces: Pieces, size: _Size) -> dict:
        """Long ones are cut for the answer."""
        told, left = [], EXAMPLE_TOKENS
        for text, is_trained in pieces:
            # More letters than a token usually has, but no megabyte: a piece is written again as tokens.
            tokens = self._tokenizer.tokens(text[: EXAMPLE_TOKENS * _TOKEN_CHARS])
            is_cut = len(tokens) > left or len(text) > EXAMPLE_TOKENS * _TOKEN_CHARS
            tokens = tokens[:left]
            left -= len(tokens)
            told.append({"tokens": tokens, "isTrained": is_trained, "isCut": is_cut})
        return {"pieces": told[:_PIECES], "tokens": size.trained_on, "isTooLong": size.is_cut}


_TOKEN_CHARS = 16
_PIECES = 200
