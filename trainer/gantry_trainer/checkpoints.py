"""Checkpoints as the gateway gets them: whole folders, named file by file. transformers' own stay beside them, as hard links."""

import os
import re
from pathlib import Path

from gantry_worker.places import Places
from gantry_worker.problem import Problem
from gantry_worker.task.journal import Journal

# A pickle of ours that nobody needs, and a page about the library.
_NOT_KEPT = ("training_args.bin", "README.md")
# Those of other processes of the Pod may be half written; a Pod's own are not kept either.
_OF_OTHERS = re.compile(r"rng_state_[1-9]\d*\.pth")
_NEEDED = ("trainer_state.json", "optimizer.pt", "scheduler.pt")


class Checkpoints:
    def __init__(self, places: Places, journal: Journal, keep: int) -> None:
        self._places, self._journal, self._keep = places, journal, keep

    def tell(self, step: int) -> None:
        """Of the checkpoint that transformers has just written. Links of those beyond `keep` go: the disk has room for so many."""
        made = self._places.root / "tmp" / "train" / f"checkpoint-{step}"
        folder = self._places.root / "out" / f"checkpoint-{step}"
        new = folder.with_suffix(".new")
        self._places.remove(new)
        new.mkdir(parents=True)
        files = sorted(path for path in made.iterdir() if path.is_file() and path.name not in _NOT_KEPT and not _OF_OTHERS.fullmatch(path.name))
        for path in files:
            os.link(path, new / path.name)
        self._places.remove(folder)
        os.rename(new, folder)
        for path in files:
            self._journal.file("checkpoint", folder / path.name, step=step, files=len(files), name=path.name)
        for old in sorted(self._steps())[: -self._keep]:
            self._places.remove(self._places.root / "out" / f"checkpoint-{old}")

    def _steps(self) -> list[int]:
        names = [path.name.removeprefix("checkpoint-") for path in (self._places.root / "out").glob("checkpoint-*")]
        return [int(name) for name in names if name.isdecimal()]


def check_checkpoint(folder: Path) -> None:
    """One of ours, which went through the store. Weights are safetensors, the rest is loaded as plain tensors only."""
    missing = [name for name in _NEEDED if not (folder / name).is_file()]
    if missing or not any(folder.glob("*.safetensors")):
        raise Problem("CheckpointBroken", f"The checkpoint has no {missing[0] if missing else 'safetensors'}.")
