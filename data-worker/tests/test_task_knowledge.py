"""Knowledge bases and graphs out of models; and tasks that are killed at any moment. GANTRY_SOAK=1 kills a hundred times."""

import json
import math
import os
import random
import re
import sqlite3
import struct

import duckdb
import numpy

from gantry_worker.limits import LOOKED_UP_GROUP_BYTES
from gantry_worker.task.recipe import recipe_of

from .task import TEXT, WithTask, answered, paragraphs, rows_of, said, vector, vectors

IS_SOAK = os.environ.get("GANTRY_SOAK") == "1"
UNITS, KILLS = (1_000, 100) if IS_SOAK else (200, 2)


class Bases(WithTask):
    def base(self, more: dict | None = None, **parameters: object) -> None:
        self.recipe("KnowledgeBase", more, **{"maxTokens": 16, "overlap": 4, **parameters})

    def npy(self, ran) -> numpy.ndarray:
        (line,) = [line for line in ran.of("output") if line["kind"] == "vectors"]
        found = numpy.load(self.root / line["path"], mmap_mode="r", allow_pickle=False)
        self.assertEqual((found.dtype.str, found.shape), ("<f4", (line["rows"], line["dimensions"])))
        return found

    def test_chunks_have_their_vectors_at_their_place(self) -> None:
        self.documents(("a.pdf", "pdf", 1, TEXT), ("b.txt", "text", 1, "犬は走る。猫は眠る。" * 6), ("c.txt", "text", 1, "河水很深。鱼在水中游。" * 6))
        self.base()
        ran = self.run_here()
        self.done(ran)
        rows = self.rows(ran, "chunks", "chunk, text, tokens, file, page, paragraph_first, paragraph_last, unit")
        self.assertEqual([row[0] for row in rows], list(range(len(rows))))
        self.assertTrue(all(row[2] <= 16 for row in rows), rows)
        # Chunks end with sentences, in each language.
        self.assertTrue(all(row[1][-1] in ".。" for row in rows), rows)
        self.assertEqual({row[3] for row in rows}, {"a.pdf", "b.txt", "c.txt"})
        for row, found in zip(rows, self.npy(ran), strict=True):
            wanted = numpy.array(vector(row[1]), dtype="float32")
            self.assertTrue(numpy.allclose(found, wanted / numpy.linalg.norm(wanted), atol=1e-6))
        self.assertEqual([line["kind"] for line in ran.of("output")], ["data", "vectors", "words"])

    def test_chunks_overlap_by_whole_sentences(self) -> None:
        sentences = [f"Sentence number {n} is here." for n in range(9)]
        self.documents(("a.pdf", "pdf", 1, " ".join(sentences)))
        self.base(maxTokens=30, overlap=10)
        ran = self.run_here()
        texts = [row[0] for row in self.rows(ran, "chunks", "text")]
        self.assertGreater(len(texts), 2)
        for before, after in zip(texts, texts[1:], strict=False):
            self.assertTrue(before.endswith(after[: after.index(".") + 1]), (before, after))
        self.assertEqual(set(sentences), {sentence for text in texts for sentence in (f"{one}." for one in text.rstrip(".").split(". "))})

    def test_batches_have_32_chunks_of_several_units(self) -> None:
        self.table(rows_of(100))
        self.base()
        self.done(self.run_here())
        self.assertEqual(sorted(len(body["input"]) for _, body in self.model.asked), [4, 32, 32, 32])
        self.assertTrue(all(path == "/v1/embeddings" for path, _ in self.model.asked))

    def test_a_vector_that_is_none_fails_its_unit_alone(self) -> None:
        bad = {
            "Row 3 ": [math.nan] * 8,
            "Row 4 ": [math.inf] + [0.0] * 7,
            "Row 5 ": [0.0] * 8,
            "Row 6 ": [1.0] * 7,
            "Row 7 ": ["1"] * 8,
            "Row 8 ": [],
            "Row 9 ": [10**400] * 8,
            "Row 10 ": [True] * 8,
            "Row 11 ": [1e-300] * 8,
        }
        self.model.answer = lambda path, body: vectors(
            [next((told for start, told in bad.items() if text.startswith(start)), vector(text)) for text in body["input"]]
        )
        self.table(rows_of(200))
        self.base()
        ran = self.run_here()
        self.assertEqual((self.done(ran)["rows"], ran.last["rejected"]), (191, 9))
        reasons = {unit["label"]: unit.get("reason") for unit in ran.units if unit["state"] == "failed"}
        self.assertEqual([reasons[f"row {n}"] for n in (4, 5, 6, 7)], ["VectorNotFinite", "VectorNotFinite", "VectorZero", "VectorOfOtherLength"])
        self.assertTrue(numpy.isfinite(self.npy(ran)).all())

    def test_a_batch_that_is_refused_for_one_text_goes_one_by_one(self) -> None:
        self.model.answer = lambda path, body: (400, {}) if any("Row 7 " in text for text in body["input"]) else answered(path, body)
        self.table(rows_of(40))
        self.base()
        ran = self.run_here()
        self.assertEqual((self.done(ran)["rows"], [unit["reason"] for unit in ran.units if unit["state"] == "failed"]), (39, ["ModelRefusedText"]))
        # Each call has a key of its own, which the agent understands and which goes with a unit that is done.
        self.assertEqual(len(self.model.keys), len(self.model.asked))
        self.assertTrue(all(re.fullmatch("[0-9a-f]{64}/[0-9]{1,9}", key) for key in self.model.keys))
        self.assertLessEqual({key.split("/")[0] for key in self.model.keys}, {unit["unit"] for unit in ran.units})

    def test_answers_with_too_few_vectors_or_twice_the_same_place_are_refused(self) -> None:
        for told in ({"data": []}, {"data": [{"index": 0, "embedding": [1.0]}] * 2}, {"data": "x"}, {}):
            with self.subTest(told):
                self.model.answer = lambda *_, told=told: (200, told)
                self.table(rows_of(2))
                self.base()
                self.failed(self.run_here(), "TooManyRejected")

    def test_kept_vectors_say_how_long_others_are(self) -> None:
        self.table(rows_of(64))
        self.base()
        self.keep(self.run_here())
        self.table(rows_of(66))
        self.base()
        self.model.answer = lambda path, body: vectors([vector(text, 4) for text in body["input"]])
        ran = self.run_here()
        self.assertEqual((self.done(ran)["rows"], ran.last["rejected"]), (64, 2))

    def test_a_line_of_10_mb_is_cut(self) -> None:
        self.documents(*(("line.txt", "text", n, random.Random(n).randbytes(32_768).hex()) for n in range(1, 161)))
        self.base(maxTokens=8_192)
        ran = self.run_here()
        self.done(ran)
        self.assertTrue(all(row[0] <= 8_192 for row in self.rows(ran, "chunks", "tokens")))
        self.assertGreater(sum(len(row[0]) for row in self.rows(ran, "chunks", "text")), 9_000_000)
        # A search reads some rows of them, and groups as wholes.
        (line,) = [line for line in ran.of("output") if line["name"].startswith("chunks")]
        (groups,) = duckdb.sql(f"SELECT count(DISTINCT row_group_id) FROM parquet_metadata('{self.root / line['path']}')").fetchall()[0]
        self.assertGreaterEqual(groups, 9_000_000 // LOOKED_UP_GROUP_BYTES // 2)

    def test_the_full_text_finds_words_and_ideographs(self) -> None:
        self.table([{"text": "The harbour of Kōbe"}, {"text": "東京都の人口"}, {"text": "北京的胡同很多"}])
        self.base()
        ran = self.run_here()
        (line,) = [line for line in ran.of("output") if line["kind"] == "words"]
        database = sqlite3.connect(self.root / line["path"])
        self.addCleanup(database.close)
        for query, row in (("kobe", 0), ("東京", 1), ("胡同", 2)):
            self.assertEqual(database.execute("SELECT rowid FROM words WHERE words MATCH ?", (f'"{query}"',)).fetchall(), [(row,)])

    def test_vectors_are_little_endian_rows_behind_a_head_of_numpy(self) -> None:
        self.table(rows_of(1))
        self.base()
        ran = self.run_here()
        (line,) = [line for line in ran.of("output") if line["kind"] == "vectors"]
        data = (self.root / line["path"]).read_bytes()
        self.assertEqual(data[:6], b"\x93NUMPY")
        self.assertAlmostEqual(math.hypot(*struct.unpack("<8f", data[-32:])), 1, 5)


class Graphs(WithTask):
    def test_names_that_differ_in_case_width_and_spaces_are_one_entity(self) -> None:
        told = {
            "Row 0 ": ["Bern", "the Aare"],
            "Row 1 ": ["BERN", "The  Aare"],
            "Row 2 ": ["Ｂｅｒｎ", "the aare"],
            "Row 3 ": ["Bern", "Thun"],
        }
        self.model.answer = lambda path, body: said(
            next(
                {
                    "entities": [{"name": name, "type": "place", "description": f"{name}."} for name in names],
                    "relations": [{"source": names[0], "target": names[1], "type": "Lies At", "description": "d"}],
                }
                for start, names in told.items()
                if paragraphs(body)[0].startswith(start)
            )
        )
        self.table(rows_of(4))
        self.recipe("KnowledgeGraph", entityTypes=["place"])
        ran = self.run_here()
        self.assertEqual(self.done(ran)["rows"], 3)
        entities = self.rows(ran, "entities", "name, type, mentions, len(units)")
        self.assertEqual(entities, [("Bern", "place", 4, 4), ("the Aare", "place", 3, 3), ("Thun", "place", 1, 1)])
        self.assertEqual(self.rows(ran, "relations", "source, target, type, mentions"), [("Bern", "the Aare", "Lies At", 3), ("Bern", "Thun", "Lies At", 1)])
        units = {row[0] for row in self.rows(ran, "sources", "unit")}
        self.assertEqual({unit for (some,) in self.rows(ran, "relations", "units") for unit in some}, units)

    def test_types_and_ends_that_are_unknown_become_other(self) -> None:
        self.model.answer = lambda *_: said(
            {
                "entities": [{"name": "A", "type": "spaceship", "description": ""}],
                "relations": [{"source": "A", "target": "Nowhere", "type": "t", "description": ""}],
            }
        )
        self.table(rows_of(1))
        self.recipe("KnowledgeGraph", entityTypes=["place"])
        ran = self.run_here()
        self.assertEqual(self.rows(ran, "entities", "name, type"), [("A", "other"), ("Nowhere", "other")])

    def test_names_without_letters_or_without_an_end_are_refused(self) -> None:
        for name in ("", " \u3000", "x" * 201, None, 7, {"a": 1}):
            with self.subTest(name):
                self.model.answer = lambda *_, name=name: said({"entities": [{"name": name, "type": "t", "description": ""}], "relations": []})
                self.table(rows_of(1))
                self.recipe("KnowledgeGraph", entityTypes=[])
                self.failed(self.run_here(), "TooManyRejected")


class Kills(WithTask):
    def texts(self) -> list[str]:
        return [f"Row {n} tells of Place{n}." for n in range(UNITS)]

    def many(self, kind: str, most_requests: int, **parameters: object) -> None:
        """Runs that are killed, and at last one to the end."""
        self.table([{"text": text} for text in self.texts()])
        self.recipe(kind, **parameters)
        recipe = recipe_of(json.loads((self.root / "in" / "recipe.json").read_text()))
        keys = {text: recipe.key("", text) for text in self.texts()}
        kept: set[str] = set()
        again: list[str] = []

        def answer(path: str, body: dict) -> tuple[int, dict]:
            texts = body["input"] if path == "/v1/embeddings" else paragraphs(body)
            again.extend(text for text in texts if keys[text] in kept)
            return answered(path, body)

        self.model.answer = answer
        chance = random.Random(7)
        kills, ran = 0, None
        while kills < KILLS and (ran is None or ran.code < 0):
            # The first kill never comes too late: it is in the middle of a request.
            ran = self.run_and_kill(chance.randint(1, most_requests), 0 if kills == 0 else chance.random() / 5)
            kills += ran.code < 0
            kept |= {unit for units in self.kept.values() for unit in units}
        if ran.code < 0:
            ran = self.run_and_kill(None)
        self.done(ran)
        self.assertGreater(kills, 0)
        print(f"{kind}: {kills} kills")
        self.assertEqual(again, [])
        units = [unit for units in self.kept.values() for unit in units]
        self.assertEqual((len(units), len(set(units)), ran.last["rows"]), (UNITS, UNITS, UNITS))
        rows = self.rows(ran, "qa" if kind == "QaPairs" else "chunks", "row, unit")
        self.assertEqual([row for row, _ in rows], list(range(1, UNITS + 1)))
        self.assertEqual({unit for _, unit in rows}, set(units))

    def test_pairs_come_once_however_often_the_task_is_killed(self) -> None:
        self.many("QaPairs", 80, rules="Model", pairsPerChunk=1)

    def test_chunks_come_once_however_often_the_task_is_killed(self) -> None:
        self.many("KnowledgeBase", 2, maxTokens=64, overlap=0)
