"""Modules asked directly, in this process: what needs no limits of the kernel starts no child."""

import io
import json
import tempfile
import unittest
import zipfile
from unittest import mock

import duckdb

from gantry_worker import difference, profiling, search
from gantry_worker.engine import Engine
from gantry_worker.places import Places
from gantry_worker.problem import Problem
from gantry_worker.statistics import duplicates
from gantry_worker.tasks import TASKS, Job

from .worker import MIB


class Direct(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.places = Places(folder.name)
        self.scratch = self.places.root / "tmp" / "scratch"
        self.scratch.mkdir()

    def job(self, name: str, **request: object) -> Job:
        return Job(self.places, request, TASKS[name].limits, self.scratch, lambda _: None)

    def parquet(self, name: str, rows: str) -> str:
        """The path of a file with these rows, as SQL."""
        duckdb.sql(f"COPY ({rows}) TO '{self.places.root}/in/{name}' (FORMAT parquet)")
        return f"in/{name}"

    def facts(self, *contents: bytes, names: tuple[str, ...] = ("data",)) -> dict:
        self.places.remove(self.places.root / "out" / "x")
        inputs = []
        for number, (content, name) in enumerate(zip(contents, names, strict=True)):
            (self.places.root / "in" / f"{number}").write_bytes(content)
            inputs.append({"path": f"in/{number}", "name": name})
        return profiling.run(self.job("profile", out="out/x", inputs=inputs))


class Answers(Direct):
    def test_an_answer_of_long_cells_stays_within_its_bytes(self) -> None:
        from gantry_worker.cells import answered
        from gantry_worker.limits import ANSWER_BYTES

        rows = [("中" * 10_000, ["文" * 10_000], n, None) for n in range(100)] * 10
        found = answered([("a", "VARCHAR")] * 4, rows)
        self.assertLess(len(json.dumps(found)), ANSWER_BYTES + 1_000)
        self.assertEqual((len(found["rows"]), found["rows"][99][2:]), (1_000, [99, None]))
        self.assertEqual(found["cut"][:2], [[0, 0, 10_000], [0, 1, 10_004]])
        self.assertGreater(len(found["rows"][0][0]), 100)
        # Short answers keep all that a cell may have.
        self.assertEqual(len(answered([("a", "VARCHAR")], [("中" * 10_000,)])["rows"][0][0]), 4_096)

    def test_names_and_types_of_an_answer_are_cut(self) -> None:
        from gantry_worker.cells import answered

        (column,) = answered([("n" * 20_000, "STRUCT" * 20_000)], [])["columns"]
        self.assertEqual((len(column["name"]), len(column["type"])), (257, 201))

    def test_facts_name_as_many_files_as_have_room(self) -> None:
        name = "名" * 1_024
        files = {f"{number}{name}": b"\0" for number in range(999)}
        facts = self.facts(zipped(files))
        self.assertLess(len(json.dumps(facts)), 2 * MIB)
        self.assertGreater(len(facts["files"]), 100)
        self.assertEqual((len(facts["files"]) + facts["filesMore"], facts["rows"]), (999, 999))


def zipped(files: dict[str, bytes], how: int = zipfile.ZIP_DEFLATED) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", how) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return out.getvalue()


class Hashes(Direct):
    """A column may be called what a statement calls its table, or its result."""

    NAMES = ("t", "h", "n", "a", "old_rows", "new_rows", "data")

    def test_duplicates_are_equal_in_all_columns(self) -> None:
        for name in self.NAMES:
            with self.subTest(name):
                path = self.parquet("x", f'SELECT 1 AS "{name}", range % 3 AS other FROM range(4)')
                engine = Engine(TASKS["profile"].limits, self.places)
                self.assertEqual(duplicates(engine, [self.places.root / path]), 1)

    def test_rows_that_differ_in_another_column_differ(self) -> None:
        for name in self.NAMES:
            with self.subTest(name):
                before = self.parquet("before", f'SELECT 1 AS "{name}", range AS other FROM range(4)')
                after = self.parquet("after", f'SELECT 1 AS "{name}", range AS other FROM range(2, 5)')
                found = difference.run(self.job("diff", before=[before], after=[after]))
                self.assertEqual((found["rows"]["added"], found["rows"]["removed"], found["rows"]["same"]), (1, 2, 2))
                self.assertEqual((found["added"]["rows"], len(found["removed"]["rows"])), ([[1, 4]], 2))
                found = difference.run(self.job("diff", before=[before], after=[after], key=["other"]))
                self.assertEqual((found["rows"]["added"], found["rows"]["removed"], found["rows"]["same"]), (1, 2, 2))


class Room(Direct):
    """Archives of one request share what they may become."""

    ARCHIVES = 5

    def many(self) -> dict:
        packed = zipped({"a.txt": b" " * MIB})
        return self.facts(*[packed] * self.ARCHIVES, names=tuple(map(str, range(self.ARCHIVES))))

    def written(self) -> int:
        return sum(file.stat().st_size for file in self.scratch.rglob("*") if file.is_file())

    def test_all_archives_together_are_bounded(self) -> None:
        with mock.patch("gantry_worker.expand.INPUT_BYTES", 2 * MIB), self.assertRaises(Problem) as caught:
            self.many()
        self.assertEqual((caught.exception.code, caught.exception.values["most"]), ("TooLarge", 2 * MIB))
        self.assertLessEqual(self.written(), 2 * MIB)

    def test_half_of_the_free_disk_is_left_to_others(self) -> None:
        with mock.patch("shutil.disk_usage", return_value=mock.Mock(free=4 * MIB)), self.assertRaises(Problem) as caught:
            self.many()
        self.assertEqual((caught.exception.code, caught.exception.status), ("DiskFull", 507))
        self.assertLessEqual(self.written(), 2 * MIB)

    def test_what_a_refused_archive_wrote_is_gone(self) -> None:
        with mock.patch("gantry_worker.expand.EXPANSION_FREE", MIB // 2), mock.patch("gantry_worker.expand.EXPANSION", 1):
            facts = self.many()
        self.assertEqual({file["problem"]["code"] for file in facts["files"]}, {"ExpandsTooFar"})
        self.assertEqual(list(self.scratch.glob("input-*")), [])


class Clocks(Direct):
    def test_time_that_ends_between_two_pages_ends_the_document_alone(self) -> None:
        import signal

        from gantry_worker.documents import pages

        text = self.scratch / "long"
        text.write_text("word " * 200_000)
        with mock.patch("gantry_worker.documents.DOCUMENT_SECONDS", 0.05), self.assertRaises(Problem) as caught:
            for _ in pages(text, "long", "text", "utf-8"):
                # As a caller that writes the page when the clock rings.
                signal.pause()
        self.assertEqual(caught.exception.code, "TooSlow")

    def test_time_that_ends_inside_of_a_reader_ends_the_document(self) -> None:
        from gantry_worker import documents

        def endless(*_: object):
            try:
                while True:
                    pass
            except Exception:
                yield "no parser may take it for a fault of the file"

        with mock.patch("gantry_worker.documents.DOCUMENT_SECONDS", 0.05), self.assertRaises(Problem) as caught:
            with mock.patch.dict(documents._READERS, {"pdf": endless}):
                list(documents.pages(self.scratch, "x", "pdf", ""))
        self.assertEqual(caught.exception.code, "TooSlow")


class BrokenArchives(Direct):
    def problem_of(self, content: bytes) -> str:
        facts = self.facts(content, b"sound text", names=("a", "b"))
        self.assertEqual(facts["rows"], 1)
        return facts["files"][0]["problem"]["code"]

    def test_a_member_that_is_no_sound_lzma(self) -> None:
        whole = bytearray(zipped({"x": bytes(range(256)) * 40}, zipfile.ZIP_LZMA))
        whole[60:90] = b"\xff" * 30
        self.assertEqual(self.problem_of(bytes(whole)), "ArchiveBroken")

    def test_a_local_name_that_is_no_utf_8(self) -> None:
        whole = zipped({"é": b"text"}).replace("é".encode(), b"\xff\xff", 1)
        self.assertEqual(self.problem_of(whole), "ArchiveBroken")

    def test_a_directory_that_is_no_utf_8(self) -> None:
        self.assertEqual(self.problem_of(zipped({"é": b"text"}).replace("é".encode(), b"\xff\xff")), "ArchiveBroken")


class RowNumbers(Direct):
    """Readers of Parquet have columns of their own, behind those of the file."""

    def search(self, facts: dict) -> dict:
        return search.run(self.job("search", table=[facts["parts"][0]["path"]], text="needle"))

    def test_a_column_named_like_a_row_number_hides_none(self) -> None:
        for name in ("file_row_number", "FILE_ROW_NUMBER"):
            lines = "".join(json.dumps({name: "x", "file_row_number_": 1, "text": text}) + "\n" for text in ("hay", "needle"))
            facts = self.facts(lines.encode())
            self.assertEqual([column["name"] for column in facts["columns"]], [f"{name}__", "file_row_number_", "text"])
            self.assertEqual(self.search(facts)["numbers"], [1])

    def test_rejected_rows_of_parquet_keep_file_and_line(self) -> None:
        rows = "SELECT 'x' AS file_row_number, 7 AS filename, repeat('x', n) AS a FROM (VALUES (3), (2000000), (4)) t(n)"
        content = (self.places.root / self.parquet("rows", rows)).read_bytes()
        facts = self.facts(content, content, names=("one", "two"))
        self.assertEqual((facts["rows"], facts["rejected"]), (4, 2))
        (part,) = [part["path"] for part in facts["parts"] if part["kind"] == "rejected"]
        found = duckdb.sql(f"SELECT file, line, code FROM '{self.places.root}/{part}'").fetchall()
        self.assertEqual(found, [("one", 2, "RowTooLong"), ("two", 2, "RowTooLong")])
