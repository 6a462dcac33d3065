"""Previews, and search in a knowledge base, as the gateway asks the data server for them."""

import json
import os
import shutil
import signal
import sqlite3
from pathlib import Path
from unittest import mock

import duckdb
import numpy

from .base import DOCUMENTS, QUESTIONS, base_of, concept_vector
from .worker import WithServer


class Previews(WithServer):
    def table(self, rows: list[dict]) -> None:
        (Path(self.folder.name) / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
        path = Path(self.folder.name) / "in" / "rows.parquet"
        duckdb.sql(f"COPY (FROM read_json('{self.folder.name}/rows.jsonl', format = 'newline_delimited')) TO '{path}' (FORMAT parquet)")

    def preview(self, kind: str, parameters: dict, input: str = "table"):
        told = {"type": kind, "parameters": parameters, "model": "m", "embedding": "e"}
        return self.call("POST", "/preview", {"recipe": {**told, "input": {"kind": input, "parts": [{"path": "in/rows.parquet"}]}}})

    def test_pairs_of_a_model_show_prompts_and_what_they_cost(self) -> None:
        self.table([{"text": f"Row {n} tells of Place{n}."} for n in range(120)])
        answer = self.preview("QaPairs", {"rules": "Model", "pairsPerChunk": 4}).json
        self.assertEqual((answer["units"], len(answer["rows"]), len(answer["prompts"])), ({"count": 120, "isExact": True}, 50, 5))
        told, sum = answer["estimate"], answer["estimate"]["arithmetic"]
        self.assertEqual(told["outputTokens"], 120 * 4 * 80)
        self.assertEqual((told["inputTokens"], sum["requests"]), (sum["textTokens"] + sum["instructionTokens"], 120))
        prompt = answer["prompts"][0]
        self.assertIn("Row 0 tells of Place0.", prompt["body"]["messages"][1]["content"])
        self.assertEqual(prompt["body"]["response_format"]["type"], "json_schema")
        self.assertAlmostEqual(prompt["inputTokens"] * 120, told["inputTokens"], delta=240)

    def test_a_knowledge_base_shows_its_chunks(self) -> None:
        self.table([{"file": "a.pdf", "kind": "pdf", "page": n, "text": f"Page {n} is here. It has text."} for n in range(1, 4)])
        answer = self.preview("KnowledgeBase", {"maxTokens": 16, "overlap": 0}, "documents").json
        self.assertEqual([row[:4] for row in answer["rows"]], [["a.pdf", n, 1, None] for n in (1, 2, 3)])
        self.assertEqual(answer["prompts"][0]["body"]["input"], [f"Page {n} is here. It has text." for n in (1, 2, 3)])
        self.assertEqual(answer["estimate"]["outputTokens"], 0)

    def test_tasks_without_a_model_run_on_the_first_rows(self) -> None:
        self.table([{"text": f"Mail a{n % 40}@example.org"} for n in range(300)])
        answer = self.preview("Clean", {"maskPersonalData": True, "duplicates": "Exact"}).json
        self.assertEqual((answer["rows"], answer["units"]), ([["data-00000.parquet", "Mail [email]"]], {"count": 300, "isExact": True}))
        self.assertEqual((answer["last"]["removed"], answer["last"]["masked"]), ({"Duplicate": 49}, {"email": 50}))
        answer = self.preview("Convert", {"format": "Csv"}).json
        self.assertEqual(len(answer["rows"]), 50)
        answer = self.preview("Split", {"parts": [{"name": "a", "percent": 50}, {"name": "b", "percent": 50}]}).json
        self.assertEqual((len(answer["rows"]), {row[0] for row in answer["rows"]}), (50, {"a-00000.parquet", "b-00000.parquet"}))
        self.is_sound()

    def test_a_recipe_that_breaks_a_rule_is_refused_with_its_field(self) -> None:
        self.table([{"text": "x"}])
        for kind, parameters in (("Other", {}), ("Split", {"parts": []}), ("Convert", {"format": "x"})):
            answer = self.preview(kind, parameters)
            self.assertEqual((answer.status, answer.code), (400, "BadField"))
        self.assertEqual(self.preview("Convert", {"format": "Csv", "columns": ["y"]}).code, "NoSuchColumn")

    def test_a_large_input_is_estimated_from_its_beginning(self) -> None:
        from gantry_worker.task import preview
        from gantry_worker.places import Places
        from gantry_worker.tasks import TASKS, Job

        self.table([{"text": f"Row {n} tells of Place{n}."} for n in range(2_000)])
        places = Places(self.folder.name)
        recipe = {"type": "QaPairs", "parameters": {"rules": "Model"}, "model": "m", "input": {"kind": "table", "parts": [{"path": "in/rows.parquet"}]}}
        scratch = places.root / "tmp" / "preview"
        scratch.mkdir()
        self.addCleanup(shutil.rmtree, scratch)
        with mock.patch("gantry_worker.task.preview.PREVIEW_BYTES", 5_000):
            answer = preview.run(Job(places, {"recipe": recipe}, TASKS["preview"].limits, scratch, lambda _: None))
        self.assertEqual(answer["units"], {"count": 2_000, "isExact": False})
        self.assertEqual(answer["estimate"]["arithmetic"]["requests"], 2_000)


class Bases(WithServer):
    """A base of public facts, in three languages. Vectors are of concepts, as a model's would be: other words, the same direction."""

    @classmethod
    def setUpClass(cls) -> None:
        super().setUpClass()
        base_of(Path(cls.folder.name), DOCUMENTS)

    def retrieve(self, **request: object):
        paths = {"chunks": ["in/base/chunks.parquet"], "vectors": "in/base/vectors.npy", "words": "in/base/words.sqlite"}
        return self.call("POST", "/retrieve", {**paths, **request})

    def rows(self, **request: object) -> list[dict]:
        answer = self.retrieve(**request)
        self.assertEqual(answer.status, 200, answer.body)
        return answer.json["rows"]

    def test_both_halves_together_find_what_each_alone_misses(self) -> None:
        found = {half: [] for half in ("vector", "words", "both")}
        for question, wanted in QUESTIONS:
            asked = {"vector": {"vector": concept_vector(question)}, "words": {"text": question}}
            asked["both"] = {**asked["vector"], **asked["words"]}
            for half, request in asked.items():
                found[half].append(wanted in [row["chunk"] for row in self.rows(k=10, **request)])
        recall = {half: sum(some) / len(some) for half, some in found.items()}
        print(f"recall@10 of {len(QUESTIONS)} questions: {recall}")
        self.assertGreater(recall["both"], max(recall["vector"], recall["words"]))
        self.assertGreaterEqual(recall["both"], 0.9)

    def test_a_row_says_where_it_is_from_and_what_each_half_thought(self) -> None:
        row = self.rows(text="Fuji", vector=concept_vector("mountain japan"), k=1)[0]
        self.assertEqual((row["file"], row["page"], row["paragraph_first"]), ("facts.md", 1, row["chunk"] + 1))
        self.assertIn("Fuji", row["text"])
        self.assertEqual(row["words"]["rank"], 1)
        self.assertAlmostEqual(row["score"], sum(1 / (60 + row[half]["rank"]) for half in ("vector", "words") if row[half]), 6)

    def test_what_was_found_elsewhere_is_merged_as_what_is_found_here(self) -> None:
        for question, _ in QUESTIONS:
            vector = concept_vector(question)
            for halves in ({}, {"text": question}):
                here = self.rows(vector=vector, k=20, **halves)
                found = [[row["chunk"], row["vector"]["score"]] for row in self.rows(vector=vector, k=100)]
                self.assertEqual(here, self.rows(nearest=found, vectors=None, k=20, **halves))
        # A chunk that the base has not is left out.
        self.assertEqual([3], [row["chunk"] for row in self.rows(nearest=[[9_999, 1.0], [3, 0.5]])])
        self.assertEqual([], self.rows(nearest=[]))

    def test_chinese_and_japanese_words_are_found(self) -> None:
        self.assertIn("长江", self.rows(text="长江有多长", k=1)[0]["text"])
        self.assertIn("琵琶湖", self.rows(text="琵琶湖はどこ", k=1)[0]["text"])
        self.assertEqual([], self.rows(text="zzzzqqq"))
        self.assertEqual([], self.rows(text="!?。"))

    def test_queries_of_marks_are_words_to_the_full_text(self) -> None:
        for text in ('" OR "', "NEAR(a b)", "words:*", "a AND NOT b", '""""', "\0'; DROP TABLE words", "^x", "*"):
            self.assertEqual(self.retrieve(text=text).status, 200, text)

    def test_requests_that_break_a_rule_are_refused_with_the_field(self) -> None:
        for request, field in (
            ({}, "text"),
            ({"text": ""}, "text"),
            ({"text": 7}, "text"),
            ({"text": "x", "k": 101}, "k"),
            ({"text": "x", "k": True}, "k"),
            ({"vector": [0.0] * 32}, "vector"),
            ({"vector": [1.0] * 31}, "vector"),
            ({"vector": [True] * 32}, "vector"),
            ({"vector": ["1"] * 32}, "vector"),
            ({"vector": [1e300] * 32}, "vector"),
            ({"nearest": [[0, 1.0]], "vector": [1.0] * 32}, "nearest"),
            ({"nearest": [[0, 1.0], [0, 0.5]]}, "nearest"),
            ({"nearest": [[0, 1.0]] * 101}, "nearest"),
            ({"nearest": [[-1, 1.0]]}, "nearest"),
            ({"nearest": [[True, 1.0]]}, "nearest"),
            ({"nearest": [["0", 1.0]]}, "nearest"),
            ({"nearest": [[0, 1e300]]}, "nearest"),
            ({"nearest": [0]}, "nearest"),
            ({"nearest": {}}, "nearest"),
            ({"text": "x", "chunks": []}, "chunks"),
            ({"text": "x", "words": "/etc/passwd"}, "words"),
        ):
            answer = self.retrieve(**request)
            self.assertEqual((answer.status, answer.code, answer.json["problem"]["values"]["field"]), (400, "BadField", field), request)
        answer = self.call("POST", "/retrieve", b'{"vector": [NaN], "vectors": "in/base/vectors.npy", "chunks": ["in/base/chunks.parquet"]}')
        self.assertEqual(answer.code, "BadField")

    def hostile(self, name: str, content: bytes) -> str:
        path = Path(self.folder.name, "in", "hostile")
        path.mkdir(exist_ok=True)
        (path / name).write_bytes(content)
        return f"in/hostile/{name}"

    def test_files_of_vectors_that_are_none_are_refused(self) -> None:
        def npy(head: str, body: bytes = b"") -> bytes:
            data = head.encode()
            return b"\x93NUMPY\x01\x00" + len(data).to_bytes(2, "little") + data + body

        for content in (
            b"",
            b"no vectors",
            b"\x93NUMPY\x01\x00\xff\xff",
            npy("{'descr': '|O', 'fortran_order': False, 'shape': (1, 32)}\n", b"cos\nsystem\n(S'id'\ntR."),
            npy("{'descr': '<f4', 'fortran_order': False, 'shape': (1000000000, 32)}\n", b"\0" * 128),
            npy("{'descr': '<f8', 'fortran_order': False, 'shape': (1, 32)}\n", b"\0" * 256),
            npy("__import__('os').system('id')\n"),
            npy("(" * 5_000 + "\n"),
        ):
            answer = self.retrieve(vector=[1.0] * 32, vectors=self.hostile("v.npy", content))
            self.assertEqual((answer.status, answer.code), (422, "VectorsBroken"), content[:80])
        self.is_sound()

    def test_rows_that_are_no_vectors_are_near_to_nothing(self) -> None:
        rows = numpy.zeros((len(DOCUMENTS), 32), dtype="<f4")
        rows[0], rows[1], rows[2] = numpy.nan, numpy.inf, 1 / numpy.sqrt(32)
        path = Path(self.folder.name, "in", "nan.npy")
        numpy.save(path, rows)
        found = self.rows(vector=[1.0] * 32, vectors="in/nan.npy")
        self.assertEqual(found[0]["chunk"], 2)
        self.assertFalse({0, 1} & {row["chunk"] for row in found})

    def test_databases_of_another_make_are_refused(self) -> None:
        endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i AS text FROM n"
        makes = {
            "view": [f"CREATE VIEW words AS {endless}"],
            "other": ["CREATE VIRTUAL TABLE words USING fts5(text)"],
            "trigger": ["CREATE TABLE words (text)", "CREATE TRIGGER t AFTER INSERT ON words BEGIN SELECT 1; END"],
            "more": ["CREATE VIRTUAL TABLE words USING fts5(text)", f"CREATE VIEW words_view AS {endless}"],
        }
        for name, statements in makes.items():
            path = Path(self.folder.name, "in", f"{name}.sqlite")
            database = sqlite3.connect(path)
            for statement in statements:
                database.execute(statement)
            database.commit()
            database.close()
            self.assertEqual(self.retrieve(text="x", words=f"in/{name}.sqlite").code, "WordsBroken", name)
        good = Path(self.folder.name, "in/base/words.sqlite").read_bytes()
        for content in (b"", b"SQLite format 3\0" + b"\xff" * 4_096, good[: len(good) // 2], good[:4_096] + b"\xff" * (len(good) - 4_096)):
            self.assertIn(self.retrieve(text="Fuji", words=self.hostile("w.sqlite", content)).code, ("WordsBroken",), content[:20])
        self.is_sound()

    def test_the_process_answers_again_and_another_takes_its_place_when_it_dies(self) -> None:
        self.rows(text="Fuji")
        children = self.server.children
        first = children._idle[1]
        self.rows(text="Fuji")
        self.assertIs(children._idle[1], first)
        os.kill(first._process.pid, signal.SIGKILL)
        first._process.wait()
        self.assertTrue(self.rows(text="Fuji"))
        self.assertIsNot(children._idle[1], first)
        # A refusal leaves it as it was.
        again = children._idle[1]
        self.assertEqual(self.retrieve(text="").status, 400)
        self.assertIs(children._idle[1], again)
        children.sweep()
        self.assertTrue(again.is_alive)
        children.sweep(0)
        self.assertFalse(again.is_alive)
