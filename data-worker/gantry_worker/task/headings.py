"""Pairs of question and answer without a model: a heading asks, and the text below it answers. Tables may have the pairs as columns."""

import re
from collections.abc import Iterable, Iterator
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING

from ..engine import parquet
from ..limits import ANSWER_CHARS, QUESTION_CHARS, REJECT_TEXT_CHARS
from ..problem import Problem
from . import outputs
from .recipe import DOCUMENT_COLUMNS
from .texts import sound
from .units import cell_text, columns_of, flow, text_of_row, told_rows

if TYPE_CHECKING:
    from .work import Run

COLUMNS = {"question": "VARCHAR", "answer": "VARCHAR", "file": "VARCHAR", "page": "BIGINT", "paragraph": "BIGINT", "row": "BIGINT", "unit": "VARCHAR"}
_REJECTED = {"file": "VARCHAR", "line": "BIGINT", "code": "VARCHAR", "text": "VARCHAR"}
_QUESTION_NAMES = ("question", "instruction", "prompt", "问题", "問題", "質問")
_ANSWER_NAMES = ("answer", "output", "response", "答案", "回答")

_FENCE = re.compile(r"(```|~~~)")
_HASHES = re.compile(r"(#{1,6})[ \t]+(\S.*?)[ \t#]*$")
_UNDERLINE = re.compile(r"(=+|-{2,})[ \t]*$")
_NUMBERED = re.compile(
    r"第[0-9一二三四五六七八九十百千]{1,6}[章节節条條項款編编部回]|[0-9]{1,3}(?P<deeper>(?:\.[0-9]{1,3}){0,4})[.)、．]?[ \t\u3000]|[一二三四五六七八九十]{1,3}、|[IVXLC]{1,6}\.[ \t]"
)
_ENDS = ".。!！,，;；:：、"
_ASKS = ("?", "？")
_HEADING_CHARS = 100


def run(task: "Run") -> dict:
    """Every pair of the input, in its order. What is longer than an answer may be is rejected."""
    rejects: list[dict] = []
    pairs = _of_documents(task) if task.recipe.kind == "documents" else _of_table(task)
    count = outputs.lines(task, _sound(task, pairs, rejects), COLUMNS, "qa", "data")
    if count == 0:
        raise Problem("NothingMade", "No heading with text below it was found.", rejected=len(rejects))
    most = (count + len(rejects)) * task.recipe.max_rejected_percent / 100
    if len(rejects) > most:
        told = f"{len(rejects)} of {count + len(rejects)} pairs are too long."
        raise Problem("TooManyRejected", told, failed=len(rejects), units=count + len(rejects), percent=task.recipe.max_rejected_percent)
    outputs.rejected_lines(task, rejects, _REJECTED)
    return {"rows": count, "rejected": len(rejects)}


def _sound(task: "Run", pairs: Iterable[dict], rejects: list[dict]) -> Iterator[dict]:
    for pair in pairs:
        text = f"{pair['question']}\n{pair['answer']}"
        if len(pair["question"]) <= QUESTION_CHARS and len(pair["answer"]) <= ANSWER_CHARS:
            yield {**pair, "unit": task.recipe.key(pair.get("file") or "", text)}
        else:
            line = pair.get("row") or pair.get("page")
            rejects.append({"file": pair.get("file"), "line": line, "code": "TooLong", "text": text[:REJECT_TEXT_CHARS]})


def _of_documents(task: "Run") -> Iterator[dict]:
    rows = told_rows(task, "reading", list(DOCUMENT_COLUMNS))
    for (file, kind), group in groupby(rows, key=itemgetter(0, 1)):
        # A section may go on over the next page: its text does not.
        end = "\n\n" if kind == "pdf" else ""
        pieces = ((page, sound(text or "") + end) for _, _, page, text in group)
        for pair in sections(_numbered(flow(pieces, kind == "docx"), kind == "pdf")):
            yield {"file": sound(file or ""), **pair}


def _numbered(atoms: Iterable[tuple[int, int, str]], by_page: bool) -> Iterator[tuple[int, int, str]]:
    """Whole paragraphs; those of pages are counted within them."""
    first, last = 0, None
    for (number, page), group in groupby(atoms, key=itemgetter(0, 1)):
        if by_page and page != last:
            first, last = number - 1, page
        yield number - first, page, "".join(text for _, _, text in group)


def _of_table(task: "Run") -> Iterator[dict]:
    columns = columns_of(task.recipe, task.engine, task.files)
    named = [next((name for name in columns if name.lower() in names), None) for names in (_QUESTION_NAMES, _ANSWER_NAMES)]
    for number, row in enumerate(told_rows(task, "reading", columns), 1):
        if None in named:
            for pair in sections((n, 1, text) for n, _, text in flow([(1, sound(text_of_row(columns, row)))], False)):
                yield {"question": pair["question"], "answer": pair["answer"], "row": number}
        else:
            question, answer = (sound(cell_text(row[columns.index(name)])).strip() for name in named)
            if question and answer:
                yield {"question": question, "answer": answer, "row": number}


def sections(found: Iterable[tuple[int, int, str]]) -> Iterator[dict]:
    """Of (paragraph, page, text): {question, answer, page, paragraph}. A heading without text is only named by those below it."""
    above: list[tuple[int, str]] = []
    open_at: tuple[int, int] | None = None
    text: list[str] = []
    is_code = False

    def pair() -> Iterator[dict]:
        if open_at and text:
            last = above[-1][1]
            question = last if last.endswith(_ASKS) else " – ".join(name for _, name in above)
            yield {"question": question, "answer": "\n\n".join(text), "page": open_at[0], "paragraph": open_at[1]}

    for number, page, paragraph in found:
        # A paragraph may begin with its heading, and have several.
        for lines, heading in _cut(paragraph, is_code):
            if heading:
                yield from pair()
                level, name = heading
                above[:] = [*(one for one in above if one[0] < level), (level, name)]
                open_at, text = (page, number), []
            if lines:
                text.append(lines)
        is_code ^= len(_FENCE.findall(paragraph)) % 2 == 1
    yield from pair()


def _cut(paragraph: str, is_code: bool) -> Iterator[tuple[str, tuple[int, str] | None]]:
    """Runs of lines, each with the heading before it."""
    lines, held, heading = paragraph.split("\n"), [], None
    at = 0
    while at < len(lines):
        line = lines[at].strip()
        if _FENCE.match(line):
            is_code = not is_code
        found, taken = (None, 1) if is_code else _heading(lines, at, line)
        if found:
            if held or heading:
                yield "\n".join(held).strip(), heading
            heading, held = found, []
        else:
            held.append(lines[at])
        at += taken
    yield "\n".join(held).strip(), heading


def _heading(lines: list[str], at: int, line: str) -> tuple[tuple[int, str] | None, int]:
    """Level and text, and how many lines it has."""
    if match := _HASHES.match(line):
        return (len(match[1]), match[2]), 1
    if at + 1 < len(lines) and line and (match := _UNDERLINE.match(lines[at + 1].strip())):
        return (1 if match[1][0] == "=" else 2, line), 2
    if not line or len(line) > _HEADING_CHARS or line[-1] in _ENDS:
        return None, 1
    if match := _NUMBERED.match(line):
        return (1 + (match["deeper"] or "").count("."), line), 1
    # A line that asks, or stands alone, is one where nothing says otherwise.
    if at == 0 and (line.endswith(_ASKS) or len(lines) == 1) and any(sign.isalpha() for sign in line):
        return (6, line), 1
    return None, 1
