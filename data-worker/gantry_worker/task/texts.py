"""Paragraphs, sentences and tokens of English, Chinese and Japanese text, by rules that need no model."""

import re
import unicodedata
from collections.abc import Iterator

from ..limits import PARAGRAPH_CHARS

_BLANK_LINES = re.compile(r"\n[ \t\u3000]*\n\s*")
# The end of a sentence, with what closes after it. Behind Latin marks there is a space, and no small letter.
# Nothing goes back: a run of marks is looked at once.
_SENTENCE = re.compile(r"[。！？｡]++[」』”’）】〉》]*+\s*+|(?<![.!?…])[.!?…]++[\"'”’)\]]*+\s++(?![a-z])|\n\s*+")
# Letters of scripts without spaces count one each.
_WIDE = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uac00-\ud7af\U00020000-\U0003ffff"
_TOKEN = re.compile(rf"[{_WIDE}]|[^\W\d_{_WIDE}]+|\d+|[^\w\s]|_")
_LETTERS_OF_TOKEN = 6
_DIGITS_OF_TOKEN = 3


def sound(text: str) -> str:
    """Without half characters and NUL, which no column of text and no request has."""
    return text.encode("utf-8", "replace").decode().replace("\0", "")


def paragraphs(text: str, by_line: bool = False) -> Iterator[str]:
    """Blocks between blank lines; where a block is long, or the kind of file says so, its lines."""
    for block in _BLANK_LINES.split(text):
        if by_line or len(block) > PARAGRAPH_CHARS:
            yield from (line.strip() for line in block.split("\n") if line.strip())
        elif block.strip():
            yield block.strip()


def sentences(text: str, most: int = PARAGRAPH_CHARS) -> Iterator[str]:
    """All of the text, with the space behind each sentence. None has more than `most` characters."""
    at = 0
    for end in [*(match.end() for match in _SENTENCE.finditer(text)), len(text)]:
        while end - at > most:
            yield text[at : at + most]
            at += most
        if end > at:
            yield text[at:end]
            at = end


def tokens(text: str) -> int:
    """An estimate, because each model has its own: one per ideograph, kana, syllable and mark, per 6 letters, per 3 digits."""
    return sum(_tokens_of(found) for found in _TOKEN.findall(text))


def _tokens_of(word: str) -> int:
    if word[0].isdigit():
        return -(-len(word) // _DIGITS_OF_TOKEN)
    return -(-len(word) // _LETTERS_OF_TOKEN)


def cut_to_tokens(text: str, most: int) -> Iterator[str]:
    """Pieces of at most so many tokens: of a sentence that is longer than a chunk."""
    at = begin = count = 0
    for match in _TOKEN.finditer(text):
        size = _tokens_of(match.group())
        if count and count + size > most:
            yield text[begin:at]
            begin, count = at, 0
        while size > most:
            # One word that is longer than a chunk: letters without an end.
            yield text[begin : at + most * _DIGITS_OF_TOKEN]
            begin = at = at + most * _DIGITS_OF_TOKEN
            size = -(-(match.end() - at) // _DIGITS_OF_TOKEN)
        count += size
        at = match.end()
    if begin < len(text):
        yield text[begin:]


def words(text: str) -> Iterator[str]:
    """For full text: words in lower case without accents, and pairs of neighbours in scripts without spaces."""
    for run in _RUN.findall(_PLAIN.sub(_unaccented, unicodedata.normalize("NFKC", text).casefold())):
        if _IS_WIDE.match(run):
            yield from (run[at : at + 2] for at in range(max(1, len(run) - 1)))
        else:
            yield run


_RUN = re.compile(rf"[{_WIDE}]+|[^\W_{_WIDE}]+")
_IS_WIDE = re.compile(rf"[{_WIDE}]")
# In kana, a mark makes another sound.
_PLAIN = re.compile(rf"[^\x00-\x7f{_WIDE}]+")


def _unaccented(match: re.Match) -> str:
    return "".join(sign for sign in unicodedata.normalize("NFD", match.group()) if unicodedata.category(sign) != "Mn")
