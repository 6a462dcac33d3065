"""One run from its recipe to its last line, `done` or `failed`; and its rehearsal, which says before that whether it fits."""

import json
import os
import resource
import time
from collections.abc import Callable

from gantry_worker.places import Places
from gantry_worker.problem import NO_ROOM, Problem, disk_full
from gantry_worker.task.ending import EXITS as TASK_EXITS
from gantry_worker.task.ending import fail
from gantry_worker.task.journal import Journal

from .base import check_base, refuse_qlora
from .checkpoints import Checkpoints, check_checkpoint
from .ending import ASKED_TO_END, Ending
from .gang import processes, run_all
from .gguf import check_convertible
from .limits import REHEARSED_STEPS
from .prepared import Facts, evaluated, examples, longest, prepare, preview
from .recipe import Recipe, read_recipe
from .template import tokenizer_of

EXITS = {
    **TASK_EXITS,
    **dict.fromkeys(("BaseUnreadable", "TemplateMissing", "TemplateBroken"), 65),
    "NothingUsable": 66,
    "DoesNotFit": 68,
    "TrainingDiverged": 70,
}
# What allocators say.
_NO_MEMORY = ("can't allocate memory", "out of memory", "CUBLAS_STATUS_ALLOC_FAILED")


def train(root: str, descriptor: int) -> int:
    """The exit code."""
    if (count := processes()) > 1:
        return _told(root, descriptor, lambda places, journal: _train_all(places, journal, descriptor, count))
    ending = Ending()
    return _told(root, descriptor, lambda places, journal: _train(places, journal, ending))


def rehearse(root: str, descriptor: int) -> int:
    """The exit code. Leaves tmp/rehearsal.json, and the rows as ids."""
    # Each Pod of a gang for itself, on the first of its GPUs: one process would spread its batch over all.
    os.environ["CUDA_VISIBLE_DEVICES"] = os.environ.get("CUDA_VISIBLE_DEVICES", "0").split(",")[0]
    for name in ("RANK", "WORLD_SIZE", "LOCAL_RANK"):
        os.environ.pop(name, None)
    return _told(root, descriptor, _rehearse)


def show(root: str) -> int:
    """Prints the first rows as they would be trained on, or the problem. The exit code."""
    try:
        places = Places(root)
        recipe = read_recipe(places.root / "in" / "recipe.json")
        told: dict = {"rows": preview(recipe, places)}
    except Problem as problem:
        told = {"problem": problem.as_json()}
    print(json.dumps(told, ensure_ascii=False))
    return EXITS.get(told["problem"]["code"], 1) if "problem" in told else 0


def _told(root: str, descriptor: int, work: Callable[[Places, Journal], int]) -> int:
    places = Places(root)
    journal = Journal(places.root, descriptor)
    try:
        return work(places, journal)
    except Problem as problem:
        told = problem
    except MemoryError:
        told = _does_not_fit()
    except OSError as error:
        if error.errno not in NO_ROOM:
            raise
        told = disk_full()
    except RuntimeError as error:
        if not any(words in str(error) for words in _NO_MEMORY):
            raise
        told = _does_not_fit()
    return fail(journal, told, EXITS)


def _does_not_fit() -> Problem:
    detail = "a smaller batch, a shorter maxLength or a smaller base needs less"
    return Problem("DoesNotFit", f"Training takes more memory than there is: {detail}.", detail=detail)


def _set_up(places: Places) -> Recipe:
    recipe = read_recipe(places.root / "in" / "recipe.json")
    # Before torch is loaded: it reads them once.
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ[name] = str(_threads(recipe))
    if recipe.method == "QLoRA":
        refuse_qlora()
    check_base(places.root / recipe.base)
    if recipe.gguf and not (places.root / "tmp" / "rehearsal.json").exists():
        check_convertible(places.root / recipe.base, places.root / "tmp")
    return recipe


def _threads(recipe: Recipe) -> int:
    """Of this process: those of a Pod share its cores."""
    return max(1, recipe.threads // int(os.environ.get("LOCAL_WORLD_SIZE", "1")))


def _quiet(recipe: Recipe) -> None:
    import torch
    from transformers import set_seed
    from transformers.utils import logging

    logging.set_verbosity_error()
    logging.disable_progress_bar()
    torch.set_num_threads(_threads(recipe))
    torch.use_deterministic_algorithms(True, warn_only=True)
    set_seed(recipe.parameters.seed)


def _train_all(places: Places, journal: Journal, descriptor: int, count: int) -> int:
    """What all of them share is made once, before there are several."""
    recipe = _set_up(places)
    _sweep(places)
    prepare(recipe, places, lambda done, of: journal.progress("loading", done, max(of, 1)))
    return run_all(places.root, descriptor, count)


def _train(places: Places, journal: Journal, ending: Ending) -> int:
    recipe = _set_up(places)
    workers = int(os.environ.get("WORLD_SIZE", "1"))
    if workers > 1:
        os.environ.setdefault("LOCAL_RANK", "0")
        if int(os.environ.get("RANK", "0")) > 0:
            # One of a gang writes.
            journal = Journal(places.root, os.open(os.devnull, os.O_WRONLY))
    if "LOCAL_WORLD_SIZE" not in os.environ:
        _sweep(places)
    _tell_rehearsal(places, journal)
    journal.say("progress", step="loading", done=0, of=1)
    # Before torch is loaded: its threads do not survive the fork.
    facts = prepare(recipe, places, lambda done, of: journal.progress("loading", done, max(of, 1)))
    _quiet(recipe)

    from .curve import Curve
    from .training import trainer_of

    tokenizer = tokenizer_of(str(places.root / recipe.base))
    data = examples(recipe, places, facts)
    steps = recipe.steps(len(data), workers)
    trainer = trainer_of(recipe, places, tokenizer, data, evaluated(recipe, places, facts), steps, facts.highest)
    curve = Curve(journal, Checkpoints(places, journal, recipe.keep), recipe.early_stop, lambda: ending.is_asked)
    trainer.add_callback(curve)
    # With a checkpoint at the end of the step.
    ending.instead = lambda: None
    trainer.train(resume_from_checkpoint=_checkpoint(recipe, places, journal))
    if curve.was_asked or ending.is_asked:
        return ASKED_TO_END
    ending.instead = None
    journal.say("progress", step="saving", done=0, of=1)
    if trainer.is_world_process_zero():
        from .export import export

        export(recipe, places, journal, trainer.accelerator.unwrap_model(trainer.model), tokenizer)
    journal.say("progress", step="saving", done=1, of=1)
    journal.say("done", **_done(facts, curve.ended))
    return 0


def _done(facts: Facts, ended: str | None) -> dict:
    return {"rows": sum(facts.sets), "rejected": facts.rejected, **({"ended": ended} if ended else {})}


def _checkpoint(recipe: Recipe, places: Places, journal: Journal) -> str | None:
    if recipe.checkpoint is None:
        return None
    folder = places.root / recipe.checkpoint
    check_checkpoint(folder)
    step = json.loads((folder / "trainer_state.json").read_bytes()).get("global_step", 0)
    journal.say("resumed", step=int(step))
    return str(folder)


def _sweep(places: Places) -> None:
    """What a killed run left has no place in the journal of this one; what the rehearsal left has."""
    for folder, kept in (("out", ()), ("tmp", ("prepared", "rehearsal.json"))):
        for left in (places.root / folder).iterdir():
            if left.name not in kept:
                places.remove(left)


def _tell_rehearsal(places: Places, journal: Journal) -> None:
    file = places.root / "tmp" / "rehearsal.json"
    if file.exists():
        journal.say("rehearsal", **json.loads(file.read_text()))


def _rehearse(places: Places, journal: Journal) -> int:
    recipe = _set_up(places)
    facts = prepare(recipe, places)
    _quiet(recipe)

    import torch
    from transformers import TrainerCallback

    from .training import trainer_of

    class Stopwatch(TrainerCallback):
        def __init__(self) -> None:
            self.steps: list[float] = []

        def on_step_begin(self, args, state, control, **kwargs) -> None:
            self._began = time.monotonic()

        def on_step_end(self, args, state, control, **kwargs) -> None:
            self.steps.append(time.monotonic() - self._began)

    worst = _Repeated(longest(examples(recipe, places, facts)), recipe.parameters.batch * recipe.parameters.accumulate * REHEARSED_STEPS)
    tokenizer = tokenizer_of(str(places.root / recipe.base))
    trainer = trainer_of(recipe, places, tokenizer, worst, None, REHEARSED_STEPS, facts.highest, saves=False)
    watch = Stopwatch()
    trainer.add_callback(watch)
    trainer.train()
    # The first step also allocates.
    seconds = sum(watch.steps[1:]) / len(watch.steps[1:])
    peak = torch.cuda.max_memory_reserved() if torch.cuda.is_available() else resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    told = {"peakBytes": int(peak), "secondsPerStep": round(seconds, 4), "longest": facts.longest}
    (places.root / "tmp" / "rehearsal.json").write_text(json.dumps(told))
    print(json.dumps(told), flush=True)
    return 0


class _Repeated:
    """One example, so often."""

    def __init__(self, example: dict, count: int) -> None:
        self._example, self._count = example, count

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, at: int) -> dict:
        if not 0 <= at < self._count:
            raise IndexError(at)
        return self._example
