"""The input as units: the smallest pieces that are done, paid and kept by themselves.

A unit is a page, a run of paragraphs of a long page or of a text without pages, or a row of a table. Where a run ends, the paragraph at
its end decides by its own text: what is inserted changes its own run, and none behind it.
"""

import json
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from hashlib import blake2b
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING

from ..cells import plain
from ..engine import Engine, parquet, quoted
from ..limits import MIB, PARAGRAPH_CHARS, RUN_BYTES, RUN_BYTES_MOST
from ..problem import bad_field
from .journal import label_of
from .recipe import DOCUMENT_COLUMNS, Recipe
from .texts import paragraphs, sentences, sound
from .unit import Unit

if TYPE_CHECKING:
    from .work import Run

# Kinds of documents whose pages a reader knows. Pages of others are pieces of one text.
_PAGED = ("pdf",)
# Each paragraph is a line.
_BY_LINE = ("docx",)
_AT_ONCE = 512
# Of a file, in a label.
_NAME_CHARS = 60


def units_of(recipe: Recipe, engine: Engine, files: list[Path]) -> Iterator[Unit]:
    """In the order of the input. The same content may come twice, with the same key."""
    if recipe.kind == "documents":
        names = [name for name, _ in engine.columns(f"FROM {parquet(files)}")]
        if not set(DOCUMENT_COLUMNS) <= set(names):
            raise bad_field("input.kind", f"says documents, and these have the columns {', '.join(DOCUMENT_COLUMNS)}")
        yield from _of_documents(recipe, rows_of(engine, files, list(DOCUMENT_COLUMNS)))
    else:
        columns = columns_of(recipe, engine, files)
        for number, row in enumerate(rows_of(engine, files, columns), 1):
            text = sound(text_of_row(columns, row))
            told = ((1, text),) if text.strip() else ()
            yield Unit(recipe.key("", text or f"\0{number}"), f"row {number}", told, row=number)


def columns_of(recipe: Recipe, engine: Engine, files: list[Path]) -> list[str]:
    """Of a table, those that the recipe names, or all."""
    names = [name for name, _ in engine.columns(f"FROM {parquet(files)}")]
    unknown = next((name for name in recipe.columns if name not in names), None)
    if unknown is not None:
        raise bad_field("input.columns", f"names {label_of(unknown)}, which the table does not have")
    return recipe.columns or names


def rows_of(engine: Engine, files: list[Path], columns: list[str]) -> Iterator[tuple]:
    """In their order, without holding more than some of them."""
    # A cursor of its own: other statements run meanwhile.
    result = engine.connection.cursor().execute(f"SELECT {', '.join(map(quoted, columns))} FROM {parquet(files)}")
    while rows := result.fetchmany(_AT_ONCE):
        yield from rows


def told_rows(task: "Run", step: str, columns: list[str]) -> Iterator[tuple]:
    """The same of a task's files: its journal is told how far they are read."""
    (of,) = task.engine.row(f"SELECT count(*) FROM {parquet(task.files)}")
    for count, row in enumerate(rows_of(task.engine, task.files, columns), 1):
        if count % _AT_ONCE == 0 or count == of:
            task.journal.progress(step, count, of)
        yield row


def text_of_row(columns: list[str], row: tuple) -> str:
    """One column as it is; of several each with its name."""
    if len(columns) == 1:
        return cell_text(row[0])
    return "\n".join(f"{name}: {cell_text(value)}" for name, value in zip(columns, row, strict=True) if value is not None)


def cell_text(value: object) -> str:
    """A cell as text: what is no text already as JSON, by the rule of all answers."""
    told = "" if value is None else plain(value)
    return told if isinstance(told, str) else json.dumps(told, ensure_ascii=False)


def _of_documents(recipe: Recipe, rows: Iterable[tuple]) -> Iterator[Unit]:
    for (file, kind), group in groupby(rows, key=itemgetter(0, 1)):
        name = sound(file or "")
        pages = ((page, sound(text or "")) for _, _, page, text in group)
        if kind in _PAGED:
            for page, text in pages:
                yield from _of_page(recipe, name, page, text)
        else:
            yield from _of_flow(recipe, name, flow(pages, kind in _BY_LINE))


def _of_page(recipe: Recipe, file: str, page: int, text: str) -> Iterator[Unit]:
    atoms = [(number, page, piece) for number, piece in _atoms(paragraphs(text))]
    runs = [atoms] if len(text.encode()) <= RUN_BYTES_MOST else list(_runs(atoms))
    for run in runs:
        told = tuple(_merged(run))
        label = label_of(f"{label_of(file, _NAME_CHARS)} p. {page}{f' ¶ {told[0][0]}' if len(runs) > 1 else ''}")
        yield _unit(recipe, file, page, label, told)


def _of_flow(recipe: Recipe, file: str, atoms: Iterable[tuple[int, int, str]]) -> Iterator[Unit]:
    is_blank = True
    for run in _runs(atoms):
        is_blank = False
        told = tuple(_merged(run))
        yield _unit(recipe, file, run[0][1], label_of(f"{label_of(file, _NAME_CHARS)} ¶ {told[0][0]}"), told)
    if is_blank:
        yield _unit(recipe, file, 1, label_of(file), ())


def _unit(recipe: Recipe, file: str, page: int, label: str, told: tuple[tuple[int, str], ...]) -> Unit:
    # Where paragraphs begin is part of the content, and their numbers are not: they move with what is inserted before.
    content = "\n\n".join(text for _, text in told) if told else f"\0{page}"
    return Unit(recipe.key(file, content), label, told, file, page)


def flow(pieces: Iterable[tuple[int, str]], by_line: bool) -> Iterator[tuple[int, int, str]]:
    """A text that comes in pieces: (number of the paragraph, page where it begins, text), in order."""
    held, number = "", 0
    marks: list[tuple[int, int]] = []
    for page, text in pieces:
        marks.append((len(held), page))
        held += text
        at = held.rfind("\n") + 1 if by_line else held.rfind("\n\n") + 2
        if at < 2 and len(held) < MIB:
            continue
        done, held = (held[:at], held[at:]) if at >= 2 else (held, "")
        for number, where, piece in _placed(done, marks, number, by_line):
            yield number, where, piece
        marks = [(0, page)]
    yield from _placed(held, marks, number, by_line)


def _placed(text: str, marks: list[tuple[int, int]], number: int, by_line: bool) -> Iterator[tuple[int, int, str]]:
    at = 0
    starts = [start for start, _ in marks]
    for paragraph in paragraphs(text, by_line):
        at = text.find(paragraph, at)
        page = marks[max(0, bisect_right(starts, at) - 1)][1]
        at += len(paragraph)
        number += 1
        for _, piece in _atoms([paragraph]):
            yield number, page, piece


def _atoms(found: Iterable[str]) -> Iterator[tuple[int, str]]:
    """Paragraphs with their numbers; long ones by sentence."""
    for number, paragraph in enumerate(found, 1):
        if len(paragraph) <= PARAGRAPH_CHARS:
            yield number, paragraph
        else:
            yield from ((number, sentence) for sentence in sentences(paragraph))


def _runs(atoms: Iterable[tuple[int, int, str]]) -> Iterator[list[tuple[int, int, str]]]:
    run, size = [], 0
    for atom in atoms:
        run.append(atom)
        weight = len(atom[2].encode())
        size += weight
        chance = int.from_bytes(blake2b(atom[2].encode(), digest_size=8).digest())
        if chance * RUN_BYTES < weight << 64 or size >= RUN_BYTES_MOST:
            yield run
            run, size = [], 0
    if run:
        yield run


def _merged(run: list[tuple[int, int, str]]) -> Iterator[tuple[int, str]]:
    for number, pieces in groupby(run, key=itemgetter(0)):
        yield number, "".join(piece for _, _, piece in pieces).strip()
