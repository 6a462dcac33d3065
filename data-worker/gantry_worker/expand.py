"""Archives, opened by counting: what comes out is bounded by what went in, and no name of an archive becomes a path."""

import lzma
import shutil
import zipfile
import zlib
from pathlib import Path

from .limits import ARCHIVE_MEMBERS, EXPANSION, EXPANSION_FREE, INPUT_BYTES, MIB
from .problem import Problem, disk_full


# What Python raises for a zip file that is not sound. Names that are no UTF-8 are ValueErrors.
BROKEN_ZIP = (
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    EOFError,
    NotImplementedError,
    OSError,
    RuntimeError,
    ValueError,
)


class Room:
    """What all archives of one request may become together: half of the disk that is free, and no more than can be a table."""

    def __init__(self, scratch: Path) -> None:
        free = shutil.disk_usage(scratch).free // 2
        self._most = self._left = min(INPUT_BYTES, free)
        self._is_of_disk = free < INPUT_BYTES
        self.is_full = False

    def count(self, size: int) -> None:
        self._left -= size
        if self._left >= 0:
            return
        self.is_full = True
        if self._is_of_disk:
            raise disk_full()
        raise Problem("TooLarge", f"The archives expand to more than {self._most} bytes together.", most=self._most)


class Expansion:
    """What one archive may become; several files of it share that. `room` is what it shares with others."""

    def __init__(self, name: str, packed: int, room: Room | None = None) -> None:
        self._name = name
        self._room = room
        self._left = min(INPUT_BYTES, max(EXPANSION_FREE, EXPANSION * packed))
        self._most = self._left

    def count(self, size: int) -> None:
        self._left -= size
        if self._left < 0:
            raise Problem(
                "ExpandsTooFar",
                f"{self._name} expands to more than {self._most} bytes: at most {EXPANSION} times its size are read.",
                bytes=self._most,
                times=EXPANSION,
            )
        if self._room:
            self._room.count(size)


def gunzip(path: Path, name: str, to: Path, room: Room) -> None:
    """All members of a gzip file, one after the other."""
    expansion = Expansion(name, path.stat().st_size, room)
    with path.open("rb") as packed, to.open("wb") as out:
        reader = zlib.decompressobj(wbits=31)
        piece = packed.read(MIB)
        is_whole = False
        while piece:
            try:
                data = reader.decompress(piece, MIB)
            except zlib.error as error:
                raise Problem("ArchiveBroken", f"{name} is no sound gzip file.") from error
            expansion.count(len(data))
            out.write(data)
            is_whole = reader.eof
            if is_whole:
                piece = reader.unused_data.lstrip(b"\0") or packed.read(MIB).lstrip(b"\0")
                reader = zlib.decompressobj(wbits=31)
            else:
                piece = reader.unconsumed_tail or packed.read(MIB)
        if not is_whole:
            raise Problem("ArchiveBroken", f"{name} breaks off: it is no sound gzip file.")


def unzip(path: Path, name: str, to: Path, room: Room) -> list[tuple[Path, str]]:
    """The files of an archive, each under a number; with the names that it gives them, which are labels."""
    expansion = Expansion(name, path.stat().st_size, room)
    with open_zip(path, name) as archive:
        members = [info for info in archive.infolist() if not info.is_dir()]
        if len(members) > ARCHIVE_MEMBERS:
            many = f"{name} has {len(members)} files: at most {ARCHIVE_MEMBERS} are read."
            raise Problem("TooManyFiles", many, files=len(members), most=ARCHIVE_MEMBERS)
        found = []
        for number, info in enumerate(members):
            file = to / f"{number}"
            with file.open("wb") as out:
                for piece in member(archive, info, name, expansion):
                    out.write(piece)
            found.append((file, f"{name}/{info.filename}"))
        return found


def open_zip(path: Path, name: str) -> zipfile.ZipFile:
    try:
        return zipfile.ZipFile(path)
    except BROKEN_ZIP as error:
        raise Problem("ArchiveBroken", f"{name} is no sound zip file.") from error


def member(archive: zipfile.ZipFile, info: zipfile.ZipInfo, name: str, expansion: Expansion):
    """One file of an archive, piece by piece."""
    if info.flag_bits & 1:
        raise Problem("Locked", f"{name} is locked with a password.")
    try:
        with archive.open(info) as file:
            while piece := file.read(MIB):
                expansion.count(len(piece))
                yield piece
    except BROKEN_ZIP as error:
        raise Problem("ArchiveBroken", f"{name} is no sound zip file.") from error
