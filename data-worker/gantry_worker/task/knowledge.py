"""Chunks of a knowledge base with their vectors: cut between sentences, embedded in batches, across units."""

import base64
import math
import struct
import threading
from collections.abc import Iterator

from ..limits import BATCH, DIMENSIONS
from .model import Model, UnitFailed
from .recipe import Recipe
from .texts import cut_to_tokens, sentences, tokens
from .unit import Unit

# `vector` is float32, little-endian, of length 1. In lines of JSON it is base64.
COLUMNS = {"first": "BIGINT", "last": "BIGINT", "text": "VARCHAR", "tokens": "BIGINT", "vector": "BLOB"}
_LEAST_LENGTH = 1e-12


def chunks(recipe: Recipe, unit: Unit) -> Iterator[dict]:
    """Rows without their vectors; `first` and `last` are paragraphs, counted within the unit."""
    most, overlap = recipe.parameters["maxTokens"], recipe.parameters["overlap"]
    pieces = list(_pieces(unit, most))
    begin = 0
    while begin < len(pieces):
        end, size = begin, 0
        while end < len(pieces) and size + pieces[end][2] <= most:
            size += pieces[end][2]
            end += 1
        if text := _joined(pieces[begin:end]):
            yield {"first": pieces[begin][0], "last": pieces[end - 1][0], "text": text, "tokens": tokens(text)}
        if end == len(pieces):
            return
        begin, again = end, 0
        while begin > 0 and again + pieces[begin - 1][2] <= overlap and again + pieces[begin - 1][2] + pieces[end][2] <= most:
            begin -= 1
            again += pieces[begin][2]


def _pieces(unit: Unit, most: int) -> Iterator[tuple[int, str, int]]:
    """(paragraph, text, tokens): sentences, none longer than a chunk."""
    for number, text in unit.paragraphs:
        for sentence in sentences(text):
            for piece in cut_to_tokens(sentence, most) if tokens(sentence) > most else [sentence]:
                yield number - unit.first, piece, tokens(piece)


def _joined(pieces: list[tuple[int, str, int]]) -> str:
    told = ""
    for at, (number, text, _) in enumerate(pieces):
        told += ("\n\n" if at and number != pieces[at - 1][0] else "") + text
    return told.strip()


def request(recipe: Recipe, batch: list[tuple[str, int, str]]) -> dict:
    return {"model": recipe.embedding, "input": [text for _, _, text in batch], "encoding_format": "float"}


class Vectors:
    """All vectors of a base have the same length, which the first one says."""

    def __init__(self, recipe: Recipe, model: Model, dimensions: int | None) -> None:
        self._recipe, self._model = recipe, model
        self.dimensions = dimensions
        self._turn = threading.Lock()

    def of(self, batch: list[tuple[str, int, str]], unit: str, number: int) -> list[str | UnitFailed]:
        """Of (unit, tokens, text) each: base64, or why there is none. A batch that is refused goes one by one.

        `unit` and `number` are the key of the call; the numbers of the `BATCH` ones behind it are free.
        """
        try:
            return self._asked(batch, f"{unit}/{number}")
        except UnitFailed as failed:
            if len(batch) == 1 or failed.reason in ("ModelBusy", "ModelFailed"):
                return [failed] * len(batch)
        return [one for n, chunk in enumerate(batch) for one in self.of([chunk], unit, number + 1 + n)]

    def _asked(self, batch: list[tuple[str, int, str]], key: str) -> list[str | UnitFailed]:
        answer = self._model.post("/v1/embeddings", request(self._recipe, batch), key, sum(size for _, size, _ in batch), 0)
        rows = answer.get("data")
        if not (isinstance(rows, list) and len(rows) == len(batch) and all(isinstance(row, dict) for row in rows)):
            raise UnitFailed("AnswerNotInShape")
        if sorted(map(repr, (row.get("index", n) for n, row in enumerate(rows)))) != sorted(map(repr, range(len(batch)))):
            raise UnitFailed("AnswerNotInShape")
        placed = sorted(enumerate(rows), key=lambda pair: pair[1].get("index", pair[0]))
        return [self._told(row.get("embedding")) for _, row in placed]

    def _told(self, vector: object) -> str | UnitFailed:
        is_list = isinstance(vector, list) and 1 <= len(vector) <= DIMENSIONS
        if not (is_list and all(type(value) in (int, float) for value in vector)):
            return UnitFailed("AnswerNotInShape")
        try:
            length = math.hypot(*vector)
            told = struct.pack(f"<{len(vector)}f", *(value / length for value in vector)) if length > _LEAST_LENGTH else b""
        except (OverflowError, ValueError):
            length = math.inf
        if not math.isfinite(length):
            return UnitFailed("VectorNotFinite")
        if length <= _LEAST_LENGTH:
            return UnitFailed("VectorZero")
        with self._turn:
            self.dimensions = self.dimensions or len(vector)
            if len(vector) != self.dimensions:
                return UnitFailed("VectorOfOtherLength")
        return base64.b64encode(told).decode()


def batches(rows: list[tuple[str, int, str]]) -> Iterator[list[tuple[str, int, str]]]:
    for at in range(0, len(rows), BATCH):
        yield rows[at : at + BATCH]
