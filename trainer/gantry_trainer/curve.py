"""What a run says while it trains: points of its curves, checkpoints, and why it ends before its last step."""

import math
import time
from collections import deque

from gantry_worker.problem import Problem
from gantry_worker.task.journal import Journal
from transformers import TrainerCallback

from .checkpoints import Checkpoints
from .limits import BROKEN_LOSSES, LOG_KEPT, PACE_STEPS, POINT_SECONDS
from .recipe import EarlyStop


class Curve(TrainerCallback):
    """`asked_to_end` says whether SIGTERM came; all workers of a gang have to agree, so that none waits for another."""

    def __init__(self, journal: Journal, checkpoints: Checkpoints, early_stop: EarlyStop | None, asked_to_end) -> None:
        self._journal, self._checkpoints, self._early_stop, self._asked_to_end = journal, checkpoints, early_stop, asked_to_end
        self._next_point = 0.0
        self._broken = 0
        self._pace: deque[tuple[float, int, int]] = deque(maxlen=PACE_STEPS)
        self.ended: str | None = None
        self.was_asked = False

    def on_train_begin(self, args, state, control, **kwargs) -> None:
        self._pace.append((time.monotonic(), state.global_step, int(state.num_input_tokens_seen)))
        self._journal.progress("training", state.global_step, state.max_steps)

    def on_step_end(self, args, state, control, **kwargs):
        self._pace.append((time.monotonic(), state.global_step, int(state.num_input_tokens_seen)))
        if _any_of(self._asked_to_end(), args):
            self.was_asked = True
            control.should_save = True
            control.should_evaluate = False
            control.should_training_stop = True
        return control

    def on_log(self, args, state, control, logs=None, **kwargs):
        logs = logs or {}
        if "eval_loss" in logs:
            self._evaluated(state, control, logs["eval_loss"])
        elif "loss" in logs:
            self._trained(state, control, logs)
        kept = [entry for entry in state.log_history[-LOG_KEPT:]]
        # Early stop counts all evaluations, also those before a resume.
        state.log_history[:] = [entry for entry in state.log_history[:-LOG_KEPT] if "eval_loss" in entry] + kept
        return control

    def _trained(self, state, control, logs: dict) -> None:
        loss = float(logs["loss"])
        is_broken = not math.isfinite(loss)
        self._broken = self._broken + 1 if is_broken else 0
        if is_broken:
            # Weights that gave this loss are not worth keeping.
            control.should_save = False
        is_last = state.global_step >= state.max_steps or control.should_training_stop
        now = time.monotonic()
        if is_broken or is_last or now >= self._next_point:
            self._next_point = now + POINT_SECONDS
            self._point(state, logs, loss, is_broken)
        self._journal.progress("training", state.global_step, state.max_steps)
        if self._broken >= BROKEN_LOSSES:
            raise Problem(
                "TrainingDiverged",
                f"The loss was no finite number {BROKEN_LOSSES} times in a row, at step {state.global_step}: a lower learning rate may help.",
                step=state.global_step,
            )

    def _point(self, state, logs: dict, loss: float, is_broken: bool) -> None:
        (began, first, tokens), (at, step, seen) = self._pace[0], self._pace[-1]
        seconds = max(at - began, 1e-9)
        told = {
            "step": state.global_step,
            "of": state.max_steps,
            "epoch": round(float(state.epoch or 0), 4),
            "loss": None if is_broken else loss,
            "learningRate": float(logs.get("learning_rate", 0)),
            "gradNorm": float(logs.get("grad_norm", math.nan)),
            "tokens": int(state.num_input_tokens_seen),
            "tokensPerSecond": round((seen - tokens) / seconds, 1),
            "secondsLeft": round((state.max_steps - step) * seconds / (step - first), 1) if step > first else None,
        }
        said = {name: value for name, value in told.items() if value is not None and math.isfinite(value)}
        self._journal.say("point", **said, **({"isBroken": True} if is_broken else {}))
        print(f"step {state.global_step} of {state.max_steps}: loss {loss:.4f}", flush=True)

    def _evaluated(self, state, control, loss: float) -> None:
        if math.isfinite(loss):
            self._journal.say("point", step=state.global_step, evalLoss=float(loss))
            print(f"step {state.global_step} of {state.max_steps}: evaluation loss {loss:.4f}", flush=True)
        else:
            self._journal.say("point", step=state.global_step, isBroken=True)
        if self._early_stop and is_over(self._early_stop, [one["eval_loss"] for one in state.log_history if "eval_loss" in one]):
            self.ended = "EarlyStop"
            control.should_training_stop = True
            control.should_save = True

    def on_save(self, args, state, control, **kwargs) -> None:
        if state.is_world_process_zero:
            self._journal.say("progress", step="saving", done=state.global_step, of=state.max_steps)
            self._checkpoints.tell(state.global_step)
            self._journal.say("progress", step="training", done=state.global_step, of=state.max_steps)


def is_over(rule: EarlyStop, losses: list[float]) -> bool:
    """So many evaluations in a row were not better than the best before them, by more than `min_delta`."""
    best, worse = math.inf, 0
    for loss in losses:
        if loss < best - rule.min_delta:
            best, worse = loss, 0
        else:
            worse += 1
    return worse >= rule.patience


def _any_of(mine: bool, args) -> bool:
    if args.world_size == 1:
        return mine
    import torch

    told = torch.tensor([int(mine)], device=args.device)
    torch.distributed.all_reduce(told, op=torch.distributed.ReduceOp.MAX)
    return bool(told.item())
