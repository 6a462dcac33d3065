"""The loop of tasks that ask a model: units in bundles, several at once, and what became of each bundle in turn. Needs Python alone."""

from collections import deque
from collections.abc import Callable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor

from ..limits import CALLS_AT_ONCE
from ..problem import Problem
from .model import BudgetSpent, Model, UnitFailed
from .unit import Result, Unit, bundles

_BUNDLES_AT_ONCE = 2
Process = Callable[[list[Unit]], list[Result]]


def in_bundles(
    units: Iterable[Unit],
    process_with: Callable[[ThreadPoolExecutor], Process],
    took: Callable[[list[Result]], None],
    check: Callable[[], None],
    model: Model,
) -> None:
    """Bundles overlap, so that the slowest answer of one keeps nobody waiting; `took` runs in this thread alone, `check` before each bundle.

    It ends early where the budget is spent or the model is closed, and raises what every other call would hear once all that is paid is taken.
    """
    pool, calls = ThreadPoolExecutor(_BUNDLES_AT_ONCE), ThreadPoolExecutor(CALLS_AT_ONCE)
    process = process_with(calls)
    under_way: deque[Future] = deque()

    def finish() -> None:
        if results := under_way.popleft().result():
            took(results)

    try:
        for bundle in bundles(units):
            check()
            if model.ends:
                break
            under_way.append(pool.submit(process, bundle))
            if len(under_way) > _BUNDLES_AT_ONCE:
                finish()
        while under_way:
            finish()
        check()
        if model.hopeless:
            raise model.hopeless
    finally:
        # Of a run that fails, what is under way is not waited for.
        for one in (pool, calls):
            one.shutdown(wait=False, cancel_futures=True)


def each(rows: Callable[[Unit], list[dict]]) -> Callable[[ThreadPoolExecutor], Process]:
    """For units that are done one by one."""
    return lambda calls: lambda bundle: [result for result in calls.map(lambda unit: _result(unit, rows), bundle) if result]


def _result(unit: Unit, rows: Callable[[Unit], list[dict]]) -> Result | None:
    if not unit.paragraphs:
        return Result(unit, "skipped", [], "NoText")
    try:
        return Result(unit, "done", rows(unit))
    except UnitFailed as failed:
        return Result(unit, "failed", [], failed.reason)
    except (BudgetSpent, Problem):
        # Not done: a later run does it. What ends the run is raised once all that was paid is kept.
        return None
