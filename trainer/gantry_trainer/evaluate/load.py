"""How a model holds under load: so many callers that ask one question after the other, for so long. Calls go through the agent and the
gateway, as all of a task's do, and what that takes is in the times. Answers do not come as streams there: the time to the first token is
that of a further caller, whose questions have one token as their answer."""

import random
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

from gantry_worker.task.model import BudgetSpent, Model, UnitFailed, usage_of
from gantry_worker.task.texts import tokens

from .question import answer_in
from .recipe import Performance
from .statistics import percentiles

# A failure costs a moment, so that a model that refuses at once is not asked thousands of times.
_AFTER_FAILURE_SECONDS = 0.2
_WORDS = ("river", "stone", "cloud", "field", "light", "north", "paper", "seven", "table", "water")


@dataclass
class _Caller:
    seconds: list[float] = field(default_factory=list)
    tokens: int = 0
    failed: int = 0


def measured(model: Model, name: str, told: Performance, concurrency: int, seed: int) -> dict:
    """The values of `load`. Raises the Problem that every other call would hear too."""
    began = time.monotonic()

    def call(number: int, answer_tokens: int) -> _Caller:
        caller, source = _Caller(), random.Random(f"{seed}/{concurrency}/{number}")
        while time.monotonic() - began < told.seconds and not model.ends:
            # No two are the same, so that nothing is answered out of what an engine remembers.
            text = " ".join(source.choices(_WORDS, k=max(1, told.prompt_tokens - 8)))
            body = {
                "model": name,
                "messages": [{"role": "user", "content": f"{source.getrandbits(32)} {text}"}],
                "temperature": 0,
                "max_tokens": answer_tokens,
            }
            try:
                answer = model.answer("/v1/chat/completions", body, "", told.prompt_tokens, answer_tokens, tries=1)
                _, used = usage_of(answer.told, 0, tokens(answer_in(answer.told)))
            except UnitFailed:
                caller.failed += 1
                time.sleep(_AFTER_FAILURE_SECONDS)
                continue
            caller.seconds.append(answer.seconds)
            caller.tokens += min(answer_tokens, used)
        return caller

    with ThreadPoolExecutor(concurrency + 1) as pool:
        probe = pool.submit(call, concurrency, 1)
        some = [pool.submit(call, n, told.answer_tokens) for n in range(concurrency)]
        callers, first = [one.result() for one in some], probe.result()
    took = time.monotonic() - began
    if model.hopeless:
        raise model.hopeless
    if model.budget.is_spent:
        raise BudgetSpent
    times = [seconds for caller in callers for seconds in caller.seconds]
    failed = sum(caller.failed for caller in callers)
    return {
        **{"concurrency": concurrency, "requests": len(times) + failed, "failed": failed},
        "tokensPerSecond": round(sum(caller.tokens for caller in callers) / took, 2),
        **_times("ttft", first.seconds),
        **_times("", times),
    }


def _times(name: str, seconds: list[float]) -> dict:
    """Nothing where no call was answered."""
    if not seconds:
        return {}
    middle, high = percentiles([1_000 * one for one in seconds])
    return {f"{name}P50Ms" if name else "p50Ms": middle, f"{name}P99Ms" if name else "p99Ms": high}
