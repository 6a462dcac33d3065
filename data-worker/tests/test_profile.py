"""What arrives becomes a table with facts, whatever is wrong with it."""

import io
import json
import unicodedata
import zipfile
from pathlib import Path
from unittest import mock

from gantry_worker import tasks
from gantry_worker.limits import TaskLimits

from .worker import MIB, WithServer, parts

JSONL = "".join(json.dumps({"id": n, "text": f"Where is the station number {n}?"}) + "\n" for n in range(100))


class Tables(WithServer):
    here = ("profile", "query")

    def test_json_lines_have_facts(self) -> None:
        facts = self.facts(JSONL)
        self.assertEqual((facts["kind"], facts["way"], facts["rows"], facts["rejected"]), ("jsonl", "quick", 100, 0))
        id, text = facts["columns"]
        self.assertEqual((id["type"], id["nulls"], id["min"], id["max"]), ("BIGINT", 0, 0, 99))
        self.assertEqual(sum(id["histogram"]["counts"]), 100)
        self.assertEqual((text["type"], sum(text["lengths"]["counts"])), ("VARCHAR", 100))
        self.assertEqual(facts["languages"], {"en": 100})
        self.assertEqual(facts["duplicates"], 0)

    def test_parts_are_served_as_they_are_told(self) -> None:
        import hashlib

        (part,) = self.facts(JSONL)["parts"]
        whole = self.call("GET", f"/file?path={part['path']}").body
        self.assertEqual((len(whole), hashlib.sha256(whole).hexdigest()), (part["bytes"], part["sha256"]))
        self.assertEqual(self.call("GET", f"/file?path={part['path']}&offset=100").body, whole[100:])

    def test_the_same_request_again_does_nothing_anew(self) -> None:
        facts = self.facts(JSONL)
        again = {
            "out": "out/test_the_same_request_again_does_nothing_anew",
            "inputs": [{"path": "in/test_the_same_request_again_does_nothing_anew/0", "name": "data"}],
        }
        (line,) = self.call("POST", "/profile", again).body.splitlines()
        self.assertEqual(json.loads(line), {"done": facts})

    def test_a_long_first_line_does_not_hide_the_kind(self) -> None:
        facts = self.facts('{"a":"' + "x" * (2 * MIB) + '"}\n{"a":"c"}\n')
        self.assertEqual((facts["kind"], facts["rows"], self.rejects(facts)), ("jsonl", 1, [[1, "RowTooLong"]]))

    def test_each_bad_line_has_its_reason(self) -> None:
        lines = [
            b'{"a": 1}',
            b"5",
            b'{"a": ',
            b'{"a": "\xff"}',
            b'{"a": 1, "a": 2}',
            b'{"a": "\\ud800"}',
            b'{"a": ' + b"[" * 5_000 + b"]" * 5_000 + b"}",
            b'{"a": ' + b"[" * 150 + b"]" * 150 + b"}",
            b"",
            '{"a": "ü"}'.encode(),
            '{"a": "ü"}'.encode(),
        ]
        facts = self.facts(b"\n".join(lines))
        codes = ["NotObject", "NotJson", "NotUtf8", "KeyTwice", "NotUtf8", "TooDeep", "TooDeep"]
        self.assertEqual(self.rejects(facts), [[line, code] for line, code in enumerate(codes, 2)])
        self.assertEqual(self.rows(facts), [["1"], ['"ü"'], ['"ü"']])

    def test_rows_that_the_sample_did_not_show_lose_nothing(self) -> None:
        facts = self.facts('{"a": 1}\n' * 30_000 + '{"a": "late", "b": true}\n')
        self.assertEqual((facts["rows"], facts["rejected"], len(facts["columns"])), (30_001, 0, 2))
        self.assertEqual(facts["columns"][1]["nulls"], 30_000)

    def test_ten_thousand_columns_are_refused(self) -> None:
        header = ",".join(f"c{n}" for n in range(10_000))
        self.assertEqual(self.problem(f"{header}\n{','.join('1' for _ in range(10_000))}\n", names=("a.csv",)), "TooManyColumns")
        keys = "".join(json.dumps({f"k{n}": n}) + "\n" for n in range(10_000))
        self.assertEqual(self.problem(keys), "TooManyColumns")
        # Keys of a value are no columns.
        facts = self.facts(json.dumps({"a": {f"k{n}": n for n in range(10_000)}}))
        self.assertEqual(facts["columns"][0]["type"], "MAP(VARCHAR, BIGINT)")
        self.is_sound()

    def test_a_thousand_columns_are_read(self) -> None:
        header = ",".join(f"c{n}" for n in range(1_000))
        facts = self.facts(f"{header}\n{','.join('1' for _ in range(1_000))}\n" * 1, names=("a.csv",))
        self.assertEqual((facts["rows"], len(facts["columns"])), (1, 1_000))
        self.assertLessEqual(len(json.dumps(facts["columns"])), 300_000)

    def test_deep_values_stay_json(self) -> None:
        facts = self.facts('{"a":' + '{"b":' * 20 + "1" + "}" * 21 + "\n")
        kind = facts["columns"][0]["type"]
        self.assertEqual((kind.count("STRUCT("), kind.count("JSON"), facts["rejected"]), (8, 1, 0))

    def test_csv_with_bad_lines(self) -> None:
        facts = self.facts('a,b\n1,2\nx,3\n4,5,6\n7\n"open,9\n10,11\n', names=("a.csv",))
        self.assertEqual(self.rows(facts), [["1", 2], ["x", 3], ["10", 11]])
        self.assertEqual(self.rejects(facts), [[4, "WrongWidth"], [5, "WrongWidth"], [6, "QuoteOpen"]])

    def test_a_list_of_json_with_bad_elements(self) -> None:
        facts = self.facts('[{"a": 1},\n 5,\n {"a": "}]\\""},\n {"a": [1, {"b": 2}]}\n]')
        self.assertEqual((facts["kind"], facts["rows"], self.rejects(facts)), ("json", 3, [[2, "NotObject"]]))

    def groups(self, facts: dict) -> list:
        """Rows, bytes, and the most values of a column, of each row group."""
        import duckdb

        files = [f"{self.folder.name}/{path}" for path in parts(facts)]
        return duckdb.sql(
            "SELECT any_value(row_group_num_rows), sum(total_uncompressed_size)::BIGINT, max(num_values) "
            f"FROM parquet_metadata({files}) GROUP BY file_name, row_group_id"
        ).fetchall()

    def test_rows_that_grow_later_keep_row_groups_small(self) -> None:
        """The reader of the gateway takes a row group as a whole: its bounds are those of `api/src/core/tables/limits.ts`."""
        small = '{"a": "x"}\n' * 300_000
        grown = "".join(json.dumps({"a": f"{n} " * 60_000}) + "\n" for n in range(50))
        largest = json.dumps({"a": "x" * (MIB - 20)}) + "\n"
        facts = self.facts(small + grown + largest + small)
        rows, size, _ = map(max, zip(*self.groups(facts), strict=True))
        self.assertEqual((facts["rows"], facts["rejected"]), (600_051, 0))
        self.assertLessEqual(rows, 22_528)
        self.assertLess(size, 6 * MIB)

    def test_short_values_of_long_lists_keep_row_groups_small(self) -> None:
        facts = self.facts((json.dumps({"a": [True, False] * 60_000}) + "\n") * 40)
        self.assertLessEqual(max(values for *_, values in self.groups(facts)), 2_000_000)
        self.assertEqual((facts["rows"], facts["duplicates"]), (40, 39))

    def test_a_table_that_takes_too_much_memory_is_said_to_do_so(self) -> None:
        small = tasks.Task("profiling", TaskLimits(seconds=1_000, cpu_seconds=1_000, file_bytes=MIB, engine_mb=16))
        with mock.patch.dict(tasks.TASKS, {"profile": small}):
            self.assertEqual(self.problem(JSONL * 1_000), "TooMuchMemory")
        self.is_sound()

    def test_formulas_and_html_are_text(self) -> None:
        cells = ["=1+1", "@SUM(A1)", "<script>alert(1)</script>", "\u202eevil", unicodedata.normalize("NFD", "é"), "\0"]
        facts = self.facts("".join(json.dumps({"a": cell}) + "\n" for cell in cells))
        self.assertEqual(self.rows(facts), [[cell] for cell in cells])

    def test_formulas_and_html_in_csv_are_text(self) -> None:
        facts = self.facts('a,b\n=1+1,<b>x</b>\n"@SUM(A1)","<img src=x onerror=""alert(1)"">"\n', names=("=cmd().csv",))
        self.assertEqual(self.rows(facts), [["=1+1", "<b>x</b>"], ["@SUM(A1)", '<img src=x onerror="alert(1)">']])

    def test_names_of_columns_are_text(self) -> None:
        names = ["__proto__", "<b>", "=1+1", "\u202egnp", unicodedata.normalize("NFD", "é"), "..", 'a"; DROP TABLE x; --', " "]
        facts = self.facts(json.dumps(dict.fromkeys(names, 1)) + "\n")
        self.assertEqual([column["name"] for column in facts["columns"]], names)
        self.assertEqual(self.rows(facts), [[1] * len(names)])

    def test_numbers_keep_their_digits(self) -> None:
        facts = self.facts('{"a": 9007199254740993, "b": NaN}\n')
        self.assertEqual(self.rows(facts), [["9007199254740993", "nan"]])

    def test_other_encodings_are_read(self) -> None:
        text = "名字,城市\n张三,北京是中国的首都\n李四,上海有很多人口居住\n"
        for encoding in ("utf-16", "gb18030"):
            facts = self.facts(text.encode(encoding))
            self.assertEqual((self.rows(facts)[0], facts["files"][0]["encoding"]), (["张三", "北京是中国的首都"], encoding))

    def test_what_a_broken_table_is_is_said(self) -> None:
        self.assertEqual(self.problem("5\n6\n", names=("a.jsonl",)), "NoRows")
        self.assertEqual(self.problem("a,b\n1,2\n", '{"a": 1}\n', names=("a", "b")), "SeveralKinds")
        self.assertEqual(self.problem(b"PAR1" + b"\xff" * 4_000 + b"\xff\xff\xff\x7fPAR1"), "TableBroken")

    def test_names_are_labels(self) -> None:
        names = ("../../etc/passwd", "\u202egnp.csv", unicodedata.normalize("NFD", "é.csv"), "a\0b", "=cmd()")
        facts = self.facts(*["a,b\n1,2\n"] * len(names), names=names)
        self.assertEqual((facts["rows"], [file["name"] for file in facts["files"]]), (len(names), list(names)))


class Children(WithServer):
    """In the memory that a child has."""

    def test_a_line_of_40_megabytes_is_rejected_alone(self) -> None:
        facts = self.facts('{"a":"b"}\n{"a":"' + "x" * (40 * MIB) + '"}\n{"a":"c"}\n')
        self.assertEqual((facts["way"], facts["rows"]), ("lines", 2))
        self.assertEqual(self.rejects(facts), [[2, "RowTooLong"]])

    def test_a_line_of_40_megabytes_in_csv_is_rejected_alone(self) -> None:
        facts = self.facts("a,b\n1,2\n3," + "x" * (40 * MIB) + "\n4,5\n", names=("a.csv",))
        self.assertEqual((self.rows(facts), self.rejects(facts)), ([[1, 2], [4, 5]], [[3, "RowTooLong"]]))

    def test_ten_thousand_columns_of_any_kind_are_refused(self) -> None:
        import duckdb

        path = f"{self.folder.name}/wide.parquet"
        duckdb.sql(f"COPY (SELECT {', '.join(f'{n} AS c{n}' for n in range(10_000))}) TO '{path}' (FORMAT parquet)")
        row = json.dumps({f"k{n}": n for n in range(10_000)})
        header = ",".join(f"c{n}" for n in range(10_000))
        self.assertEqual(self.problem(Path(path).read_bytes()), "TooManyColumns")
        self.assertEqual(self.problem((row + "\n") * 20), "TooManyColumns")
        self.assertEqual(self.problem(f"{header}\n{header}\n", names=("a.csv",)), "TooManyColumns")
        self.is_sound()


class Archives(WithServer):
    here = ("query",)

    def test_a_gzip_bomb_is_counted(self) -> None:
        import gzip

        bomb = gzip.compress(b" " * (64 * MIB), 9)
        facts = self.facts(bomb)
        self.assertEqual(facts["files"][0]["problem"]["code"], "ExpandsTooFar")
        self.is_sound()

    def test_a_zip_bomb_is_counted_over_all_its_files(self) -> None:
        facts = self.facts(zipped({f"{n}.txt": b" " * (4 * MIB) for n in range(20)}))
        self.assertEqual(facts["files"][0]["problem"]["code"], "ExpandsTooFar")

    def test_a_zip_whose_files_overlap_is_counted(self) -> None:
        """One compressed file that a thousand names of the directory point to."""
        whole = zipped({"a.txt": b" " * (4 * MIB)})
        at = whole.index(b"PK\x01\x02")
        end = whole.rindex(b"PK\x05\x06")
        entries = whole[at:end] * 1_000
        counts = (1_000).to_bytes(2, "little") * 2 + len(entries).to_bytes(4, "little") + at.to_bytes(4, "little")
        facts = self.facts(whole[:at] + entries + b"PK\x05\x06\0\0\0\0" + counts + b"\0\0")
        self.assertIn(facts["files"][0]["problem"]["code"], ("ExpandsTooFar", "ArchiveBroken"))
        self.is_sound()

    def test_a_gzip_inside_a_zip_and_a_gzip_is_not_opened(self) -> None:
        import gzip

        inner = gzip.compress(b"text")
        facts = self.facts(zipped({"a.gz": inner}), gzip.compress(inner), names=("a", "b"))
        self.assertEqual([file["problem"]["code"] for file in facts["files"]], ["ArchiveInArchive"] * 2)

    def test_a_zip_inside_a_zip_is_not_opened(self) -> None:
        facts = self.facts(zipped({"a.zip": zipped({"b.txt": b"x"}), "c.txt": b"text"}))
        self.assertEqual(facts["files"][0]["problem"]["code"], "ArchiveInArchive")

    def test_names_in_a_zip_lead_nowhere(self) -> None:
        facts = self.facts(zipped({"../../../tmp/evil.jsonl": b'{"a":1}\n', "/etc/x.jsonl": b'{"a":2}\n'}))
        self.assertEqual(facts["rows"], 2)
        self.is_sound()

    def test_compressed_tables_are_read(self) -> None:
        import gzip

        facts = self.facts(gzip.compress(JSONL.encode()) + gzip.compress(JSONL.encode()))
        self.assertEqual((facts["kind"], facts["rows"], facts["duplicates"]), ("jsonl", 200, 100))
        facts = self.facts(gzip.compress(JSONL.encode())[:-40])
        self.assertEqual(facts["files"][0]["problem"]["code"], "ArchiveBroken")


class Documents(WithServer):
    here = ("query",)

    def test_markdown_text_and_docx_are_rows(self) -> None:
        facts = self.facts(docx("<w:p><w:r><w:t>Hello</w:t></w:r></w:p>"), "# A\n\n## B\ntext", names=("a", "b"))
        self.assertEqual(
            self.rows(facts), [["a", "docx", 1, "Hello"], ["b", "markdown", 1, "# A\n\n## B\ntext"]]
        )

    def test_a_pdf_is_a_row_for_each_page(self) -> None:
        facts = self.facts(pdf("One", "Two"))
        self.assertEqual([row[2:] for row in self.rows(facts)], [[1, "One"], [2, "Two"]])

    def test_a_broken_document_is_its_own_problem(self) -> None:
        entities = docx("<w:p><w:r><w:t>&a;</w:t></w:r></w:p>", '<!DOCTYPE x [<!ENTITY a "aaaa">]>')
        facts = self.facts(entities, b"%PDF-1.7\n" + b"\xff" * 100, "sound text", names=("a", "b", "c"))
        codes = [file.get("problem", {}).get("code") for file in facts["files"]]
        self.assertEqual((codes, facts["rows"]), (["DocumentBroken", "DocumentBroken", None], 1))

    def test_a_docx_bomb_is_counted(self) -> None:
        facts = self.facts(docx("<w:t>" + " " * (40 * MIB) + "</w:t>"), "sound text", names=("a", "b"))
        self.assertEqual(facts["files"][0]["problem"]["code"], "ExpandsTooFar")

    def test_a_long_text_is_cut_between_paragraphs(self) -> None:
        paragraph = "word " * 200 + "\n\n"
        facts = self.facts(paragraph * 2_000)
        self.assertGreater(facts["rows"], 1)
        self.assertEqual(self.rows(facts, columns="DISTINCT text[-3:]"), [[" \n\n"]])

    def test_images_are_listed(self) -> None:
        facts = self.facts(b"\x89PNG\r\n\x1a\n" + b"\0" * 20, b"\0\1\2", names=("a.png", "b"))
        self.assertEqual(self.rows(facts), [["a.png", "image", 28], ["b", "other", 3]])


class Parquet(WithServer):
    here = ("query",)

    def test_two_hundred_mutations_end_no_server(self) -> None:
        """Each is read or refused with a sentence; several in one request would hide which."""
        import random

        from gantry_worker.child import _confine
        from gantry_worker.tasks import TASKS

        facts = self.facts(JSONL)
        sound = self.call("GET", f"/file?path={parts(facts)[0]}").body
        chance = random.Random(36)
        seen = {"read": 0, "refused": 0, "died": 0}
        for number in range(200):
            broken = bytearray(sound)
            for _ in range(chance.choice((1, 4, 40))):
                broken[chance.randrange(4, len(broken))] = chance.randrange(256)
            if number % 10 == 0:
                broken = broken[: chance.randrange(len(broken))]
            seen[read_alone(self.folder.name, bytes(broken), _confine, TASKS["profile"].limits)] += 1
        self.assertEqual(sum(seen.values()), 200)
        self.assertGreater(seen["refused"], 0)
        self.assertGreater(seen["read"], 0)
        # Some of them, the whole way.
        for number in range(5):
            broken = bytearray(sound)
            for _ in range(20):
                broken[chance.randrange(len(broken) - 600, len(broken) - 8)] = chance.randrange(256)
            self.assertIn(list(self.profile(bytes(broken)))[0], ("done", "problem"))
        self.is_sound()

    def test_large_row_groups_become_small_ones(self) -> None:
        import duckdb

        path = f"{self.folder.name}/big.parquet"
        duckdb.sql(
            f"COPY (SELECT range AS id, repeat('x', 200) || range AS text FROM range(60000)) TO '{path}' (FORMAT parquet, ROW_GROUP_SIZE 1000000)"
        )
        with open(path, "rb") as file:
            facts = self.facts(file.read())
        self.assertEqual((facts["kind"], facts["rows"]), ("parquet", 60_000))
        groups = duckdb.sql(
            f"SELECT max(row_group_num_rows) FROM parquet_metadata('{self.folder.name}/{parts(facts)[0]}')"
        ).fetchall()[0][0]
        self.assertLessEqual(groups, 22_528)

    def test_a_row_beyond_the_limit_is_rejected(self) -> None:
        import duckdb

        path = f"{self.folder.name}/rows.parquet"
        duckdb.sql(f"COPY (SELECT repeat('x', n) AS a FROM (VALUES (3), (2000000), (4)) t(n)) TO '{path}' (FORMAT parquet)")
        with open(path, "rb") as file:
            facts = self.facts(file.read())
        self.assertEqual((self.rows(facts), self.rejects(facts)), ([["xxx"], ["xxxx"]], [[2, "RowTooLong"]]))


def read_alone(folder: str, content: bytes, confine, limits) -> str:
    """In a process of its own, as a child is, without the cost of a new interpreter."""
    import os

    path = f"{folder}/mutation"
    with open(path, "wb") as file:
        file.write(content)
    child = os.fork()
    if child == 0:
        code = 9
        try:
            confine(limits)
            code = _try_to_read(path)
        finally:
            os._exit(code)
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        return "died"
    return {0: "read", 1: "refused"}[os.WEXITSTATUS(status)]


def _try_to_read(path: str) -> int:
    import duckdb

    try:
        duckdb.connect(config={"threads": 1, "memory_limit": "256MiB"}).execute(f"SELECT * FROM read_parquet('{path}')").fetchall()
        return 0
    except (duckdb.Error, MemoryError, UnicodeDecodeError):
        return 1


def zipped(files: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return out.getvalue()


def docx(body: str, before: str = "") -> bytes:
    space = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
    document = f'{before}<w:document xmlns:w="{space}"><w:body>{body}</w:body></w:document>'
    return zipped({"[Content_Types].xml": b"<Types/>", "word/document.xml": document.encode()})


def pdf(*texts: str) -> bytes:
    """The smallest that readers take, without a table of its objects."""
    kids = " ".join(f"{10 + 2 * at} 0 R" for at in range(len(texts)))
    parts = [
        "%PDF-1.4",
        "1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj",
        f"2 0 obj<</Type/Pages/Kids[{kids}]/Count {len(texts)}>>endobj",
        "3 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj",
    ]
    for at, text in enumerate(texts):
        stream = f"BT /F 12 Tf 72 700 Td ({text}) Tj ET"
        page = f"<</Type/Page/Parent 2 0 R/Resources<</Font<</F 3 0 R>>>>/MediaBox[0 0 612 792]/Contents {11 + 2 * at} 0 R>>"
        parts += [
            f"{10 + 2 * at} 0 obj{page}endobj",
            f"{11 + 2 * at} 0 obj<</Length {len(stream)}>>stream\n{stream}\nendstream endobj",
        ]
    return "\n".join([*parts, "trailer<</Root 1 0 R>>", "startxref", "0", "%%EOF"]).encode()
