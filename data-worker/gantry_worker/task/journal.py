"""What the task tells its agent: one JSON object a line, on a descriptor that the agent reads. A full pipe makes us wait."""

import hashlib
import json
import os
import re
import threading
import time
from pathlib import Path

from ..limits import JOURNAL_LINE_BYTES, LABEL_CHARS, MIB
from ..problem import Problem

DESCRIPTOR = 3
_PROGRESS_SECONDS = 1
# What would turn the words around it on a page, or hide in them.
_UNSEEN = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]+")


def label_of(text: str, most: int = LABEL_CHARS) -> str:
    """A tenant's text as one short line."""
    told = _UNSEEN.sub(" ", text.encode("utf-8", "replace").decode()).strip()
    return told if len(told) <= most else told[: most - 1] + "…"


def line_of(said: dict) -> bytes:
    """Lines have few bytes: other scripts stay as they are."""
    return json.dumps(said, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def sha256_of(file: Path) -> str:
    digest = hashlib.sha256()
    with file.open("rb") as opened:
        while piece := opened.read(MIB):
            digest.update(piece)
    return digest.hexdigest()


class Journal:
    """`root` is what paths are told below."""

    def __init__(self, root: Path, descriptor: int) -> None:
        self._root, self._descriptor = root, descriptor
        self._turn = threading.Lock()
        self._next_progress = 0.0

    def say(self, kind: str, /, **values: object) -> None:
        """Whole lines: a line that is too long is a mistake of ours."""
        data = line_of({"type": kind, **values})
        if len(data) > JOURNAL_LINE_BYTES:
            raise Problem("Internal", "A line of the journal is too long.", 500)
        with self._turn:
            while data:
                data = data[os.write(self._descriptor, data) :]

    def progress(self, step: str, done: int, of: int) -> None:
        """Once a second is enough for whoever watches; the first and the last are always told."""
        now = time.monotonic()
        if now < self._next_progress and 0 < done < of:
            return
        self._next_progress = now + _PROGRESS_SECONDS
        self.say("progress", step=step, done=done, of=of)

    def file(self, kind: str, path: Path, /, **values: object) -> None:
        """A file that is complete and stays as it is."""
        told = {"path": str(path.relative_to(self._root)), "sha256": sha256_of(path), "bytes": path.stat().st_size}
        self.say(kind, **told, **values)
