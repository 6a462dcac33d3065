"""The three folders of the data server, and the only way to a file in them. Names of tenants never become paths: callers choose those."""

import errno
import os
import re
import shutil
import stat
from pathlib import Path

from .problem import Problem, bad_field

FOLDERS = ("in", "out", "tmp")
_SEGMENT = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._=@+-]{0,127}")
_DEEPEST = 8
# Links and pipes are not followed, and are nothing to a caller.
_NOTHING_THERE = (errno.ENOENT, errno.ENOTDIR, errno.ELOOP, errno.ENXIO)


class Places:
    """`in` has what came, `out` what was made of it, `tmp` what a task needs while it runs."""

    def __init__(self, root: str) -> None:
        self.root = Path(root).resolve()
        for folder in FOLDERS:
            (self.root / folder).mkdir(parents=True, exist_ok=True)

    def path(self, text: object, folders: tuple[str, ...], field: str = "path") -> Path:
        """Such as in/3f/a.csv. Refuses whatever could lead elsewhere."""
        segments = text.split("/") if isinstance(text, str) else []
        named = f"{' or '.join(folders)}, then names of letters, digits and ._=@+- between slashes, {_DEEPEST} at most"
        if not (2 <= len(segments) <= _DEEPEST and segments[0] in folders and all(map(_SEGMENT.fullmatch, segments))):
            raise bad_field(field, f"must be {named}")
        return self.root.joinpath(*segments)

    def existing(self, text: object, folders: tuple[str, ...], field: str = "path") -> Path:
        """A regular file that is there, and reached by folders alone: a link may have been made by a broken task."""
        path = self.path(text, folders, field)
        os.close(self.open(path, os.O_RDONLY))
        return path

    def open(self, path: Path, flags: int) -> int:
        """A descriptor of a regular file. Follows no link on the way."""
        *folders, name = path.relative_to(self.root).parts
        at = os.open(self.root, os.O_RDONLY | os.O_DIRECTORY)
        try:
            for folder in folders:
                at = _replaced(at, os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=at))
            file = os.open(name, flags | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, 0o600, dir_fd=at)
        except OSError as error:
            # Anything else, such as a full disk, is no fault of the path.
            if error.errno not in _NOTHING_THERE:
                raise
            raise Problem("NoSuchFile", f"{self.name(path)} is not there.", 404) from error
        finally:
            os.close(at)
        if not stat.S_ISREG(os.fstat(file).st_mode):
            os.close(file)
            raise Problem("NoSuchFile", f"{self.name(path)} is not a file.", 404)
        return file

    def name(self, path: Path) -> str:
        """As callers have it."""
        return str(path.relative_to(self.root))

    def files(self):
        """(path, bytes) of everything that is there; scratch files too."""
        for folder, _, names in os.walk(self.root):
            for name in names:
                try:
                    found = os.lstat(os.path.join(folder, name))
                except FileNotFoundError:
                    continue
                if stat.S_ISREG(found.st_mode):
                    yield os.path.relpath(os.path.join(folder, name), self.root), found.st_size

    def remove(self, path: Path) -> None:
        """A file or a folder with all that is in it; what is not there is removed already."""
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)


def _replaced(old: int, new: int) -> int:
    os.close(old)
    return new
