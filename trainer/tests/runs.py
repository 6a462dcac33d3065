"""Runs as Pods have them: a folder, a recipe, and what the journal says. Each is a fork of this process, which has torch loaded."""

import json
import os
import shutil
import signal
import tempfile
import unittest
from collections.abc import Callable
from pathlib import Path

# Before torch is loaded, as a run does it.
os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1", HF_HUB_OFFLINE="1", TOKENIZERS_PARALLELISM="false", USE_LIBUV="0")

import pyarrow as pa  # noqa: E402
import pyarrow.parquet as pq  # noqa: E402
import torch  # noqa: E402
from gantry_trainer import curve, export, training  # noqa: E402, F401 loaded once for all runs
from gantry_trainer.run import rehearse, train  # noqa: E402
from transformers import AutoModelForCausalLM, AutoTokenizer  # noqa: E402
from transformers.utils import logging  # noqa: E402

from .tiny import make_base  # noqa: E402

torch.set_num_threads(1)
logging.disable_progress_bar()
ANIMALS = ["cat", "dog", "cow", "owl", "fox", "bee", "ant", "hen", "elk", "emu", "yak", "jay", "ram", "sow", "pig", "rat", "bat", "eel", "cod", "ape"]
COLOURS = ["red", "blue", "green", "pink", "gold", "grey", "black", "white"]


def rows_of(shift: int) -> list[dict]:
    return [
        {"question": f"What colour is the {animal}?", "answer": f"The {animal} is {COLOURS[(n + shift) % 8]}."} for n, animal in enumerate(ANIMALS)
    ]


class Ran:
    """What a run said up to its end, and how it ended: negative by a signal."""

    def __init__(self, lines: list[dict], code: int) -> None:
        self.lines, self.code = lines, code

    def of(self, kind: str) -> list[dict]:
        return [line for line in self.lines if line["type"] == kind]

    @property
    def last(self) -> dict:
        return self.lines[-1]

    @property
    def losses(self) -> list[tuple[int, float]]:
        return [(line["step"], line["loss"]) for line in self.of("point") if "loss" in line]


class WithRuns(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.kept = Path(tempfile.mkdtemp())
        cls.addClassCleanup(shutil.rmtree, cls.kept)
        cls.base = cls.kept / "base"
        make_base(str(cls.base), [text for shift in range(8) for row in rows_of(shift) for text in row.values()])

    def setUp(self) -> None:
        self.root = self.a_root()

    def a_root(self) -> Path:
        root = Path(tempfile.mkdtemp(dir=self.kept))
        (root / "in" / "data" / "0").mkdir(parents=True)
        return root

    def given(self, base: Path, rows: list[dict], root: Path | None = None, evaluated: list[dict] | None = None, **recipe: object) -> None:
        root = root or self.root
        shutil.copytree(base, root / "in" / "base", dirs_exist_ok=True)
        self._table(rows, root / "in" / "data" / "0" / "00000-a.parquet")
        told = {"kind": "FineTune", "base": "in/base", "threads": 1, "data": [{"parts": ["in/data/0/00000-a.parquet"], "weight": 1}]}
        if evaluated:
            self._table(evaluated, root / "in" / "eval.parquet")
            told["eval"] = ["in/eval.parquet"]
        (root / "in" / "recipe.json").write_text(json.dumps({**told, **recipe}))

    def _table(self, rows: list[dict], path: Path) -> None:
        pq.write_table(pa.Table.from_pylist(rows), path, compression="zstd")

    def run_it(self, root: Path | None = None, watch: Callable[[dict, Callable[[int], None]], None] | None = None, **env: str) -> Ran:
        """`watch` sees each line as it comes, and may send signals."""
        return self.follow(*self.start(root, **env), watch)

    def start(self, root: Path | None = None, program: Callable[[str, int], int] = train, **env: str) -> tuple[int, int]:
        root = root or self.root
        read_end, write_end = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(read_end)
            os.environ.update(env)
            # As each process of its own begins: with another state.
            torch.seed()
            said = os.open(root / "said", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
            os.dup2(said, 1)
            os.dup2(said, 2)
            code = 1
            try:
                code = program(str(root), write_end)
            except BaseException:
                import traceback

                traceback.print_exc()
            finally:
                os._exit(code)
        os.close(write_end)
        return child, read_end

    def follow(self, child: int, read_end: int, watch=None) -> Ran:
        lines = []
        with os.fdopen(read_end, "rb") as said:
            for line in said:
                if line.endswith(b"\n"):
                    lines.append(json.loads(line))
                    if watch:
                        watch(lines[-1], lambda number: os.kill(child, number))
        return Ran(lines, os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))

    def rehearse(self) -> Ran:
        return self.follow(*self.start(program=rehearse))

    def ended(self, ran: Ran, root: Path | None = None) -> dict:
        said = ((root or self.root) / "said").read_text()
        self.assertEqual((ran.last["type"], ran.code), ("done", 0), (ran.last, said[-3_000:]))
        return ran.last

    def failed(self, ran: Ran, code: str, exit_code: int) -> dict:
        said = (self.root / "said").read_text()
        self.assertEqual((ran.last["type"], ran.last.get("code"), ran.code), ("failed", code, exit_code), (ran.last, said[-3_000:]))
        return ran.last

    def goes_on_from(self, step: int) -> None:
        """As a new Pod: what came, and the checkpoint that was kept."""
        shutil.copytree(self.root / "out" / f"checkpoint-{step}", self.root / "in" / "checkpoint")
        for folder in ("out", "tmp"):
            shutil.rmtree(self.root / folder)
        recipe = json.loads((self.root / "in" / "recipe.json").read_text())
        (self.root / "in" / "recipe.json").write_text(json.dumps({**recipe, "checkpoint": "in/checkpoint"}))

    def right(self, folder: Path, rows: list[dict]) -> int:
        """How many of them the model answers as it was taught."""
        tokenizer = AutoTokenizer.from_pretrained(folder, padding_side="left")
        model = AutoModelForCausalLM.from_pretrained(folder)
        asked = [tokenizer.apply_chat_template([{"role": "user", "content": row["question"]}], add_generation_prompt=True, tokenize=False) for row in rows]
        ids = tokenizer(asked, add_special_tokens=False, padding=True, return_tensors="pt", return_token_type_ids=False)
        with torch.no_grad():
            answers = model.generate(**ids, max_new_tokens=16, do_sample=False)
        told = tokenizer.batch_decode(answers[:, ids["input_ids"].shape[1] :], skip_special_tokens=True)
        return sum(answer.strip() == row["answer"] for answer, row in zip(told, rows, strict=True))


KILL, END = signal.SIGKILL, signal.SIGTERM
