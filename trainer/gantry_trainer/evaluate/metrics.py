"""What an answer is worth beside the expected one, from 0 to 1. Time is bounded whatever the texts are."""

import re
import string
import unicodedata
from collections import Counter

from .limits import ROUGE_TOKENS

_ARTICLES = re.compile(r"\b(?:a|an|the)\b")
# Scripts without spaces between words: each sign is a word.
_WIDE = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_WORD = re.compile(rf"[{_WIDE}]|[^{_WIDE}]+")


class _Marks(dict):
    """For `translate`: punctuation of all scripts, and what ASCII has beside it, is left out."""

    def __missing__(self, code: int) -> int | None:
        sign = chr(code)
        self[code] = None if sign in string.punctuation or unicodedata.category(sign).startswith("P") else code
        return self[code]


_MARKS = _Marks()


def exact_match(expected: str, answer: str) -> float:
    """1 where both are the same but for white space at the ends, and how much of it is between words."""
    return float(expected.split() == answer.split())


def words(text: str) -> list[str]:
    """As SQuAD has them: in lower case, without punctuation and articles. Each ideograph and kana is one."""
    plain = _ARTICLES.sub(" ", text.lower().translate(_MARKS))
    return [word for piece in plain.split() for word in _WORD.findall(piece)]


def f1(expected: str, answer: str) -> float:
    """Of words, as SQuAD has it."""
    wanted, told = words(expected), words(answer)
    if not (wanted and told):
        return float(wanted == told)
    return _harmonic(sum((Counter(wanted) & Counter(told)).values()), len(wanted), len(told))


def rouge_l(expected: str, answer: str) -> float:
    """F of the longest common subsequence of words, of the first 20,000 of each."""
    wanted, told = words(expected)[:ROUGE_TOKENS], words(answer)[:ROUGE_TOKENS]
    if not (wanted and told):
        return float(wanted == told)
    return _harmonic(_common(wanted, told), len(wanted), len(told))


def _harmonic(common: int, wanted: int, told: int) -> float:
    return 2 * common / (wanted + told)


def _common(one: list[str], other: list[str]) -> int:
    """Length of the longest common subsequence, a row of its table at a time as bits (Hyyrö 2004)."""
    places: dict[str, int] = {}
    for n, word in enumerate(one):
        places[word] = places.get(word, 0) | 1 << n
    every = (1 << len(one)) - 1
    row = every
    for word in other:
        hit = row & places.get(word, 0)
        row = (row + hit | row - hit) & every
    return len(one) - row.bit_count()


METRICS = {"ExactMatch": exact_match, "F1": f1, "RougeL": rouge_l}
