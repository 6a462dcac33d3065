"""What rehearsals take: `python3 -m tests.rehearsed FOLDER CASES` prints a line of JSON for each case.

A case has the `shape` of a base, and of a recipe `objective`, `method` and `parameters`. Each row is longer than maxLength.
"""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from .tiny import make_base

_ASKED = "What colour is the cat?"


def main(folder: Path, cases: list[dict]) -> None:
    for case in cases:
        root = folder / "task"
        (root / "in" / "data").mkdir(parents=True)
        parameters = make_base(str(root / "in" / "base"), [_ASKED], **case["shape"])
        answer = _ASKED * case["parameters"]["maxLength"]
        rows = [{"prompt": _ASKED, "answer": answer, "chosen": answer, "rejected": f"{answer}!"}] * 2
        pq.write_table(pa.Table.from_pylist(rows), root / "in" / "data" / "rows.parquet")
        columns = {"SFT": ("prompt", "answer"), "DPO": ("prompt", "chosen", "rejected")}[case["objective"]]
        recipe = {
            **{name: case[name] for name in ("objective", "method", "parameters")},
            **{"kind": "FineTune", "base": "in/base", "threads": 1, "columns": {name: name for name in columns}},
            "data": [{"parts": ["in/data/rows.parquet"], "weight": 1}],
        }
        (root / "in" / "recipe.json").write_text(json.dumps(recipe))
        # As a Pod has it: a process of its own, with nothing of this one.
        program = [sys.executable, "-m", "gantry_trainer", "rehearse", f"--root={root}"]
        ended = subprocess.run(program, capture_output=True, text=True)
        if ended.returncode != 0:
            sys.exit(f"{case}: {ended.stderr[-2_000:]}")
        told = json.loads((root / "tmp" / "rehearsal.json").read_text())
        print(json.dumps({"parameters": parameters, **told}), flush=True)
        shutil.rmtree(root)


if __name__ == "__main__":
    main(Path(sys.argv[1]), json.loads(sys.argv[2]))
