"""Text out of documents: rows of page and text. A document that cannot be read is a Problem of its own, and not of its neighbours."""

import io
import signal
import xml.parsers.expat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from .expand import Expansion, member, open_zip
from .limits import DOCUMENT_PAGES, DOCUMENT_SECONDS, EXPANSION, MIB, ROW_BYTES, TEXT_PIECE_BYTES
from .problem import Problem


def pages(path: Path, name: str, kind: str, encoding: str) -> Iterator[str]:
    """Of a PDF its pages; of others the whole text, or pieces of it where it is long."""
    with _in_time(name) as clock:
        for text in _READERS[kind](path, name, encoding):
            # The caller has its own errors: time that ends meanwhile ends the reading of the next page.
            clock.is_inside = False
            yield text
            clock.is_inside = True
            if clock.is_over:
                raise _Late


def _text(path: Path, name: str, encoding: str) -> Iterator[str]:
    with path.open(encoding=encoding, errors="replace", newline=None) as file:
        head = file.read(ROW_BYTES // 4)
        if rest := file.read(1):
            yield from _pieces(head + rest, file)
        elif head:
            yield head.removeprefix("\ufeff")


def _pieces(held: str, file: io.TextIOBase) -> Iterator[str]:
    """Cut between paragraphs where there are any, else between lines, else anywhere."""
    while held:
        while len(held) < TEXT_PIECE_BYTES // 2 and (more := file.read(TEXT_PIECE_BYTES)):
            held += more
        window = held[: TEXT_PIECE_BYTES // 4]
        at = len(window) if len(held) <= len(window) else max(window.rfind("\n\n") + 2, 1)
        if at == 1 and len(held) > len(window):
            at = window.rfind("\n") + 1 or len(window)
        yield held[:at]
        held = held[at:]


def _pdf(path: Path, name: str, _: str) -> Iterator[str]:
    import pypdf
    from pypdf.errors import PyPdfError

    try:
        reader = pypdf.PdfReader(path)
        if reader.is_encrypted and not reader.decrypt(""):
            raise Problem("Locked", f"{name} is locked with a password.")
        count = reader.get_num_pages()
        if count > DOCUMENT_PAGES:
            many = f"{name} has {count} pages: at most {DOCUMENT_PAGES} are read."
            raise Problem("TooManyPages", many, pages=count, most=DOCUMENT_PAGES)
        for page in reader.pages:
            yield _row(page.extract_text(), name)
    except Problem:
        raise
    except MemoryError as error:
        raise Problem("TooMuchMemory", f"{name} takes too much memory to read.") from error
    # A hostile file finds errors in the parser that its makers did not.
    except (PyPdfError, Exception) as error:
        raise Problem("DocumentBroken", f"{name} is no sound PDF: {str(error)[:200]}") from error


_WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main "
_STRICT_WORD = "http://purl.oclc.org/ooxml/wordprocessingml/main "


def _docx(path: Path, name: str, _: str) -> Iterator[str]:
    expansion = Expansion(name, path.stat().st_size)
    words = _Words(name)
    with open_zip(path, name) as archive:
        for piece in member(archive, archive.getinfo("word/document.xml"), name, expansion):
            words.feed(piece)
    words.feed(b"", is_last=True)
    yield from _pieces(words.text, io.StringIO())


class _Words:
    """Paragraphs out of WordprocessingML. A document type is refused: it may define entities without end."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._parts: list[str] = []
        self._size = 0
        self._is_text = False
        self._parser = xml.parsers.expat.ParserCreate(namespace_separator=" ")
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._characters
        self._parser.StartDoctypeDeclHandler = self._refuse

    def feed(self, piece: bytes, is_last: bool = False) -> None:
        try:
            self._parser.Parse(piece, is_last)
        except xml.parsers.expat.ExpatError as error:
            raise Problem("DocumentBroken", f"{self._name} is no sound DOCX: {error}") from error

    def _start(self, tag: str, _: dict) -> None:
        self._is_text = _local(tag) == "t"
        self._add({"tab": "\t", "br": "\n", "cr": "\n"}.get(_local(tag), ""))

    def _end(self, tag: str) -> None:
        self._is_text = False
        self._add({"p": "\n", "tc": "\t", "tr": "\n"}.get(_local(tag), ""))

    def _characters(self, text: str) -> None:
        if self._is_text:
            self._add(text)

    def _add(self, text: str) -> None:
        self._size += len(text)
        if self._size > EXPANSION * MIB:
            raise Problem("ExpandsTooFar", f"{self._name} has more than {EXPANSION} MiB of text.")
        if text:
            self._parts.append(text)

    def _refuse(self, *_: object) -> None:
        raise Problem("DocumentBroken", f"{self._name} has a document type, which no DOCX has.")

    @property
    def text(self) -> str:
        return "".join(self._parts).strip()


def _local(tag: str) -> str:
    for space in (_WORD, _STRICT_WORD):
        if tag.startswith(space):
            return tag[len(space) :]
    return ""


def _row(text: str, name: str) -> str:
    if len(text.encode("utf-8", "replace")) > ROW_BYTES:
        raise Problem("RowTooLong", f"A page of {name} has more than {ROW_BYTES} bytes of text.")
    return text


_READERS = {"text": _text, "markdown": _text, "pdf": _pdf, "docx": _docx}


class _Late(BaseException):
    """No parser catches it with what it expects of a broken file."""


class _Clock:
    """Raises only while a reader is at work."""

    def __init__(self) -> None:
        self.is_inside = True
        self.is_over = False

    def ring(self, *_: object) -> None:
        self.is_over = True
        if self.is_inside:
            raise _Late


@contextmanager
def _in_time(name: str):
    """Of one document; the next one has its own time."""
    clock = _Clock()
    old = signal.signal(signal.SIGALRM, clock.ring)
    signal.setitimer(signal.ITIMER_REAL, DOCUMENT_SECONDS, 1)
    try:
        yield clock
        clock.is_inside = False
    except _Late:
        clock.is_inside = False
        slow = f"{name} takes longer than {DOCUMENT_SECONDS} seconds to read."
        raise Problem("TooSlow", slow, seconds=DOCUMENT_SECONDS) from None
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, old)
