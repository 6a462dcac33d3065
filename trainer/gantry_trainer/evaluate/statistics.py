"""Means with 95 % intervals by bootstrap, and whether one model is better than another on the same rows."""

from collections.abc import Sequence

import numpy

from .limits import COMPARED_ROWS, DRAWS

_DIGITS = 6
_NOTHING = 1e-12


def interval(values: Sequence[float], seed: int) -> tuple[float, float, float]:
    """The mean, and what 95 of 100 draws of as many rows have as theirs. The same values and seed give the same."""
    some = numpy.asarray(values, dtype=numpy.float64)
    source = numpy.random.default_rng(seed)
    means = [some[source.integers(0, len(some), len(some))].mean() for _ in range(DRAWS)]
    low, high = numpy.quantile(means, (0.025, 0.975))
    return float(some.mean()), float(low), float(high)


def scored(values: Sequence[float], seed: int) -> dict:
    """value, low, high, n."""
    value, low, high = interval(values, seed)
    return {"value": round(value, _DIGITS), "low": round(low, _DIGITS), "high": round(high, _DIGITS), "n": len(values)}


def compared(values: Sequence[float], baseline: Sequence[float], seed: int) -> dict:
    """difference, low, high, n, better, worse, verdict. Both are of the same rows, in the same order."""
    differences = numpy.asarray(values, dtype=numpy.float64) - numpy.asarray(baseline, dtype=numpy.float64)
    difference, low, high = interval(differences, seed)
    is_shown = len(differences) >= COMPARED_ROWS and (low > _NOTHING or high < -_NOTHING)
    return {
        "difference": round(difference, _DIGITS),
        "low": round(low, _DIGITS),
        "high": round(high, _DIGITS),
        "n": len(differences),
        "better": int((differences > _NOTHING).sum()),
        "worse": int((differences < -_NOTHING).sum()),
        "verdict": ("better" if low > 0 else "worse") if is_shown else "no_difference",
    }


def percentiles(values: Sequence[float]) -> tuple[float, float]:
    """The median and the 99th."""
    middle, high = numpy.percentile(numpy.asarray(values, dtype=numpy.float64), (50, 99))
    return round(float(middle), 1), round(float(high), 1)
