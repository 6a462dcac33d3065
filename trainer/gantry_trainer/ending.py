"""SIGTERM, before a Pod goes."""

import os
import signal
from collections.abc import Callable

ASKED_TO_END = 143


class Ending:
    """At once, unless `instead` is what is done then."""

    def __init__(self) -> None:
        self.is_asked = False
        self.instead: Callable[[], None] | None = None
        signal.signal(signal.SIGTERM, self._asked)

    def _asked(self, number: int, frame: object) -> None:
        self.is_asked = True
        if self.instead is None:
            os._exit(ASKED_TO_END)
        self.instead()
