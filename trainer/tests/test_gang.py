"""The processes of a Pod with several GPUs, with a short program in place of training."""

import os
import signal
import sys
import tempfile
import unittest
from pathlib import Path

from gantry_trainer import gang

# Each says who it is, and does as its rank is told: an exit code, a signal to itself, or to wait for SIGTERM.
_PROGRAM = """
import os, signal, sys, time
rank = os.environ["RANK"]
told = os.environ["TOLD"].split(",")[int(os.environ["LOCAL_RANK"])]
def asked(number, frame):
    os.write(3, f"{rank} asked\\n".encode())
    os._exit(143)
signal.signal(signal.SIGTERM, asked)
names = ("RANK", "WORLD_SIZE", "LOCAL_RANK", "LOCAL_WORLD_SIZE")
os.write(3, (" ".join(f"{name}={os.environ[name]}" for name in names) + f" {sys.argv[1:]}\\n").encode())
if told == "wait":
    signal.pause()
if told.startswith("-"):
    os.kill(os.getpid(), -int(told))
os._exit(int(told))
"""


class TestGang(unittest.TestCase):
    def setUp(self) -> None:
        self.program = Path(tempfile.mkdtemp()) / "program.py"
        self.program.write_text(_PROGRAM)

    def run_pod(self, told: str, watch=None, **env: str) -> tuple[int, list[str]]:
        """As a process of its own: it waits for all children, and has descriptor 3."""
        read_end, write_end = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(read_end)
            os.environ.update({"TOLD": told, **env})
            gang.PROGRAM = (sys.executable, str(self.program))
            code = 1
            try:
                code = gang.run_all(Path("/gantry/task"), write_end, len(told.split(",")))
            finally:
                os._exit(code)
        os.close(write_end)
        lines = []
        with os.fdopen(read_end) as said:
            for line in said:
                lines.append(line.strip())
                if watch:
                    watch(lines, child)
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), lines

    def test_ranks_count_over_all_pods(self) -> None:
        code, lines = self.run_pod("0,0", NODE_RANK="3", NNODES="4")
        ranks = [f"RANK={rank} WORLD_SIZE=8 LOCAL_RANK={at} LOCAL_WORLD_SIZE=2 ['train', '--root=/gantry/task']" for at, rank in enumerate((6, 7))]
        self.assertEqual((code, sorted(lines)), (0, ranks))

    def test_the_first_failure_ends_the_others_and_is_the_code_of_all(self) -> None:
        for told, code in (("wait,68", 68), ("70,wait,wait", 70), ("wait,-9", 137), ("0,66", 66), ("wait,143", 143)):
            with self.subTest(told):
                self.assertEqual(self.run_pod(told)[0], code)

    def test_all_are_asked_to_end_and_none_is_killed_for_it(self) -> None:
        def end(lines: list[str], pod: int) -> None:
            if len(lines) == 2:
                os.kill(pod, signal.SIGTERM)

        code, lines = self.run_pod("wait,wait", end)
        self.assertEqual((code, sorted(lines[2:])), (143, ["0 asked", "1 asked"]))

    def test_one_of_a_gang_starts_none(self) -> None:
        before = dict(os.environ)
        self.addCleanup(lambda: (os.environ.clear(), os.environ.update(before)))
        os.environ["PET_NPROC_PER_NODE"] = "8"
        self.assertEqual(gang.processes(), 8)
        os.environ["LOCAL_RANK"] = "3"
        self.assertEqual(gang.processes(), 1)

    def test_a_pod_without_gpus_starts_none(self) -> None:
        self.assertEqual(gang.processes(), 1)
