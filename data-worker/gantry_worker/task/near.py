"""Near duplicates by MinHash: texts that share most runs of three words. Candidates come from bands of equal signatures, and are compared."""

from hashlib import blake2b
from pathlib import Path

import numpy

from .texts import words

_HASHES = 128
# 16 bands of 8: two texts of which 80 percent are alike meet with a chance of 95 percent, and are compared then.
_BANDS = 16
ALIKE = 0.8
_RUN = 3
# Of one band that very many rows share, such as a hostile one: each row is compared with so many others at most.
_COMPARED = 32
_chance = numpy.random.Generator(numpy.random.PCG64(20_261_129))
# Of 64 bits: with fewer, products do not wrap, and the least hash is the least in all of them.
_A = _chance.integers(0, 2**64, _HASHES, dtype=numpy.uint64) | numpy.uint64(1)
_B = _chance.integers(0, 2**64, _HASHES, dtype=numpy.uint64)


def signature(text: str) -> numpy.ndarray:
    """128 least values of hashes, uint32. Texts of no words are alike."""
    said = list(words(text))
    runs = {"\0".join(said[at : at + _RUN]) for at in range(max(1, len(said) - _RUN + 1))}
    least = numpy.full(_HASHES, 2**32 - 1, dtype=numpy.uint64)
    # A checksum would not do: of runs that are alike, it makes hashes that are.
    hashes = numpy.frombuffer(b"".join(blake2b(run.encode(), digest_size=4).digest() for run in runs), dtype="<u4").astype(numpy.uint64)
    for at in range(0, len(hashes), 4_096):
        # Multiply-shift: the upper half of the product is the hash.
        least = numpy.minimum(least, ((hashes[at : at + 4_096, None] * _A + _B) >> numpy.uint64(32)).min(axis=0))
    return least.astype(numpy.uint32)


class Near:
    """Signatures lie in a file, 512 bytes a row."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._out = path.open("wb")
        self._rows: list[int] = []

    def add(self, row: int, text: str) -> None:
        self._rows.append(row)
        self._out.write(signature(text).tobytes())

    def duplicates(self) -> list[int]:
        """Rows that are alike an earlier row which stays."""
        self._out.close()
        count = len(self._rows)
        if count < 2:
            return []
        signatures = numpy.memmap(self._path, dtype=numpy.uint32, mode="r", shape=(count, _HASHES))
        parent = numpy.arange(count)

        def root(at: int) -> int:
            while parent[at] != at:
                parent[at] = parent[parent[at]]
                at = int(parent[at])
            return at

        width = _HASHES // _BANDS
        for band in range(_BANDS):
            keys = _keys(signatures[:, band * width : (band + 1) * width])
            order = numpy.argsort(keys, kind="stable")
            starts = numpy.flatnonzero(numpy.r_[True, keys[order][1:] != keys[order][:-1]])
            for begin, end in zip(starts, numpy.r_[starts[1:], count], strict=True):
                if end - begin > 1:
                    for first, second in _alike(signatures, order[begin:end]):
                        first, second = sorted((root(int(first)), root(int(second))))
                        parent[second] = first
        return [self._rows[at] for at in range(count) if root(at) != at]


def _keys(columns: numpy.ndarray) -> numpy.ndarray:
    keys = numpy.full(len(columns), 1469598103934665603, dtype=numpy.uint64)
    for at in range(columns.shape[1]):
        keys = (keys ^ columns[:, at]) * numpy.uint64(1099511628211)
    return keys


def _alike(signatures: numpy.ndarray, rows: numpy.ndarray):
    """Pairs out of one band."""
    for _ in range(_COMPARED):
        if len(rows) < 2:
            return
        shares = (signatures[rows[1:]] == signatures[rows[0]]).mean(axis=1)
        near = shares >= ALIKE
        yield from ((rows[0], other) for other in rows[1:][near])
        rows = rows[1:][~near]
