"""What a file is, by what is in it. Its name decides only between kinds of text that look alike."""

import codecs
import csv
import io
import json
import zipfile
from pathlib import Path

from .expand import BROKEN_ZIP
from .limits import KIB, MIB, ROW_BYTES

TABLES = ("csv", "tsv", "json", "jsonl", "parquet")
DOCUMENTS = ("text", "markdown", "pdf", "docx")
MEDIA = ("image", "audio")
ARCHIVES = ("gzip", "zip")
KINDS = (*TABLES, *DOCUMENTS, *MEDIA, "other")

_SAMPLE = 256 * KIB
# Such a long first line is looked for its end.
_FIRST_LINE = 64 * MIB

# Where it begins, what stands there, and what it is.
_SIGNATURES = (
    (0, b"PAR1", "parquet"),
    (0, b"%PDF-", "pdf"),
    (0, b"\x1f\x8b", "gzip"),
    (0, b"PK\x03\x04", "zip"),
    (0, b"PK\x05\x06", "zip"),
    (0, b"\x89PNG\r\n\x1a\n", "image"),
    (0, b"\xff\xd8\xff", "image"),
    (0, b"GIF8", "image"),
    (0, b"II*\x00", "image"),
    (0, b"MM\x00*", "image"),
    (8, b"WEBP", "image"),
    (8, b"WAVE", "audio"),
    (4, b"ftypavif", "image"),
    (4, b"ftypheic", "image"),
    (4, b"ftypM4A", "audio"),
    (0, b"ID3", "audio"),
    (0, b"\xff\xfb", "audio"),
    (0, b"\xff\xf3", "audio"),
    (0, b"fLaC", "audio"),
    (0, b"OggS", "audio"),
)
_MARKS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))
_ENCODINGS = ["gb18030", "big5", "shift_jis", "euc_jp", "euc_kr", "cp1252", "cp1251"]
_BY_NAME = {
    ".csv": "csv",
    ".tsv": "tsv",
    ".tab": "tsv",
    ".json": "json",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".md": "markdown",
    ".markdown": "markdown",
    ".txt": "text",
}
_DELIMITERS = {",": "csv", ";": "csv", "|": "csv", "\t": "tsv"}


def kind_of(path: Path, name: str) -> tuple[str, str]:
    """Kind and encoding; '' for what is no text."""
    with path.open("rb") as file:
        head = file.read(_SAMPLE)
    kind = next((kind for at, sign, kind in _SIGNATURES if head[at : at + len(sign)] == sign), None)
    if kind == "zip" and _is_docx(path):
        return "docx", ""
    if kind:
        return kind, ""
    encoding = encoding_of(head)
    if encoding is None:
        return "other", ""
    return _kind_of_text(path, _decoded(head, encoding), Path(name.lower().removesuffix(".gz")).suffix), encoding


def encoding_of(head: bytes) -> str | None:
    """None: it is no text."""
    for mark, encoding in _MARKS:
        if head.startswith(mark):
            return encoding
    if b"\0" in head:
        return None
    try:
        # The sample may end inside a character.
        codecs.getincrementaldecoder("utf-8")().decode(head)
        return "utf-8"
    except UnicodeDecodeError as error:
        # One bad line is rejected alone; a text that is bad from the start has another encoding.
        return "utf-8" if _mostly_utf8(head) else _guess(head, error)


def _mostly_utf8(head: bytes) -> bool:
    lines = head.split(b"\n")
    if len(head) == _SAMPLE:
        lines.pop()
    wide = [line for line in lines if not line.isascii()]
    good = [line for line in wide if _is_utf8(line)]
    return len(good) * 2 > len(wide) or len(wide) * 20 < len(lines)


def _is_utf8(line: bytes) -> bool:
    try:
        line.decode()
        return True
    except UnicodeDecodeError:
        return False


def _guess(head: bytes, error: UnicodeDecodeError) -> str | None:
    # Most text is UTF-8, and does not need it.
    import charset_normalizer

    sample = head[max(0, error.start - 8 * KIB) : error.start + 24 * KIB]
    best = charset_normalizer.from_bytes(sample, cp_isolation=_ENCODINGS).best()
    return best.encoding if best else None


def _decoded(head: bytes, encoding: str) -> str:
    return head.decode(encoding, "ignore").removeprefix("\ufeff")


def _is_docx(path: Path) -> bool:
    try:
        with zipfile.ZipFile(path) as archive:
            return "word/document.xml" in archive.NameToInfo
    except BROKEN_ZIP:
        return False


def _kind_of_text(path: Path, sample: str, suffix: str) -> str:
    named = _BY_NAME.get(suffix)
    start = sample.lstrip()[:1]
    if named == "jsonl" and start:
        return "jsonl"
    if start == "{":
        return "jsonl" if _is_by_line(path, sample) else "json"
    if start == "[":
        return "json" if named in (None, "json") and _opens_json(sample) else named or "text"
    if named == "json":
        return "json"
    if named in ("csv", "tsv"):
        return named
    return named or _kind_of_columns(sample) or ("markdown" if _is_markdown(sample) else "text")


def _opens_json(sample: str) -> bool:
    """`[1] A footnote` is no list."""
    return sample.lstrip()[1:].lstrip()[:1] in ("{", "[", '"', "]", "-", *"0123456789tfn")


def _is_by_line(path: Path, sample: str) -> bool:
    """The first line is a whole object, or so long that the next one says it."""
    line, end, _ = sample.lstrip().partition("\n")
    if end or len(sample) < _SAMPLE // 4:
        try:
            return isinstance(json.loads(line), dict)
        except (ValueError, RecursionError):
            second = sample.lstrip()[len(line) + 1 :].lstrip()[:1]
            return bool(end) and len(line) > 1 and second == "{"
    with path.open("rb") as file:
        first = file.readline(_FIRST_LINE)
        return len(first) > ROW_BYTES and file.readline(64).lstrip()[:1] in (b"{", b"")


def _kind_of_columns(sample: str) -> str | None:
    """Several lines that one delimiter cuts into as many pieces each."""
    lines = sample.splitlines()[:100]
    if len(lines) > 1 and len(sample) >= _SAMPLE // 4:
        lines.pop()
    for delimiter, kind in _DELIMITERS.items():
        try:
            widths = [len(row) for row in csv.reader(io.StringIO("\n".join(lines)), delimiter=delimiter) if row]
        except csv.Error:
            continue
        if len(widths) > 1 and widths[0] > 1 and sum(width == widths[0] for width in widths) >= 0.9 * len(widths):
            return kind
    return None


def _is_markdown(sample: str) -> bool:
    lines = sample.splitlines()[:200]
    return sum(line.startswith(("# ", "## ", "### ", "```", "- [", "| ")) for line in lines) >= 2
