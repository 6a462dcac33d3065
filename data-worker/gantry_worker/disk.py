"""What lies on the disk, and what makes room: that which nobody has used for longest, and nothing that somebody uses."""

import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from .limits import GRACE_SECONDS, KEPT_SECONDS
from .places import Places
from .problem import Problem

# Here each file goes by itself: parts of tables, which several calls share. Elsewhere folders do, as they are made.
_BY_FILE = ["in", "parts"]


def unit_of(path: str) -> str:
    """What goes as a whole: in/<folder>, out/<folder>, in/parts/<file>."""
    names = path.split("/")
    return "/".join(names[: 3 if names[:2] == _BY_FILE else 2])


def paths_in(request: object) -> Iterator[str]:
    """All texts of a request: those that are no paths are nobody's."""
    if isinstance(request, str):
        yield request
    elif isinstance(request, dict | list):
        for inner in request.values() if isinstance(request, dict) else request:
            yield from paths_in(inner)


class Disk:
    """Looks at what is there now and then, and counts what comes in between. What is still coming counts as a whole."""

    _AGAIN_SECONDS = 5

    def __init__(self, places: Places, most: int, clock=time.monotonic) -> None:
        self._places, self.most, self._clock = places, most, clock
        self._used, self._looked = 0, float("-inf")
        self._coming = 0
        self._pins: dict[str, int] = {}
        # When something was last used; what was there before us, since we began.
        self._times: dict[str, float] = {}
        self._began = clock()
        self._turn = threading.Lock()

    def used(self) -> int:
        with self._turn:
            return self._look()

    @contextmanager
    def using(self, paths: Iterable[str]):
        """What is named stays, and a while longer: the next call of the same caller needs it."""
        units = {unit_of(path) for path in paths if path.startswith(("in/", "out/"))}
        with self._turn:
            for unit in units:
                self._pins[unit] = self._pins.get(unit, 0) + 1
        try:
            yield
        finally:
            with self._turn:
                for unit in units:
                    self._times[unit] = self._clock()
                    self._pins[unit] -= 1
                    if self._pins[unit] == 0:
                        del self._pins[unit]

    @contextmanager
    def reserved(self, size: int):
        """For a piece, while it comes."""
        with self._turn:
            wanted = self._coming + size
            if self._look() + wanted > self.most:
                self._remove(GRACE_SECONDS, self.most - wanted)
            if self._used + wanted > self.most:
                raise Problem("DiskFull", f"The data server has room for {self.most} bytes, and others are in use.", 507)
            self._coming += size
        try:
            yield
        finally:
            with self._turn:
                self._coming -= size
                self._used += size

    def free(self) -> None:
        """A task found no room: all that may go goes."""
        with self._turn:
            self._remove(GRACE_SECONDS, 0)

    def sweep(self) -> None:
        """What failed and was never asked for again, or whose caller is gone."""
        with self._turn:
            self._remove(KEPT_SECONDS, 0)

    def _remove(self, unused_seconds: float, down_to: int) -> None:
        """Until no more than `down_to` bytes are there. Under the lock: nothing may be taken into use meanwhile."""
        now, sizes = self._clock(), {}
        for path, size in self._places.files():
            sizes[unit_of(path)] = sizes.get(unit_of(path), 0) + size
        self._used, self._looked = sum(sizes.values()), now
        self._times = {unit: last for unit, last in self._times.items() if unit in sizes}
        unused = {
            unit: self._times.get(unit, self._began)
            for unit in sizes
            if unit not in self._pins and unit.startswith(("in/", "out/"))
        }
        for unit, last in sorted(unused.items(), key=lambda pair: pair[1]):
            if self._used <= down_to or now - last < unused_seconds:
                return
            self._places.remove(self._places.root / unit)
            self._used -= sizes[unit]

    def _look(self) -> int:
        if self._clock() - self._looked > self._AGAIN_SECONDS:
            self._used, self._looked = sum(size for _, size in self._places.files()), self._clock()
        return self._used
