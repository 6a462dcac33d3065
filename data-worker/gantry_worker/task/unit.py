"""What a task does piece by piece: units, what became of each, and the bundles of them that become parts. Needs Python alone."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ..limits import JOURNAL_LINE_BYTES, PART_TEXT_BYTES, PART_UNITS
from .journal import line_of

# Of the units in a line of the journal, from which on it takes no other one.
_LINE_UNITS_BYTES = JOURNAL_LINE_BYTES - 1_784


@dataclass(frozen=True)
class Unit:
    """`paragraphs` are (number, text): numbers count within the page, or within the text where there are no pages."""

    key: str
    label: str
    paragraphs: tuple[tuple[int, str], ...]
    # '' of a table.
    file: str = ""
    page: int | None = None
    # Of a table, from 1.
    row: int | None = None

    @property
    def text(self) -> str:
        return "\n\n".join(text for _, text in self.paragraphs)

    @property
    def first(self) -> int:
        return self.paragraphs[0][0] if self.paragraphs else 1


@dataclass
class Result:
    """`state`: done, failed or skipped."""

    unit: Unit
    state: str
    rows: list[dict]
    reason: str = ""

    @property
    def told(self) -> dict:
        counted = {"rows": len(self.rows), "rejected": int(self.state == "failed")}
        return {"unit": self.unit.key, "label": self.unit.label, "state": self.state, **({"reason": self.reason} if self.reason else {}), **counted}


def bundles(units: Iterable[Unit]) -> Iterator[list[Unit]]:
    """What becomes one part. Where a bundle ends, what is in it decides: those that a killed run leaves are the same in the next one."""
    bundle, size, said = [], 0, 0
    for unit in units:
        bundle.append(unit)
        size += len(unit.text.encode())
        said += len(line_of(Result(unit, "failed", [], "VectorOfOtherLength").told))
        if len(bundle) == PART_UNITS or size >= PART_TEXT_BYTES or said >= _LINE_UNITS_BYTES:
            yield bundle
            bundle, size, said = [], 0, 0
    if bundle:
        yield bundle
