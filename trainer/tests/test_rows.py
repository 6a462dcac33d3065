"""Rows to conversations to token ids, the template's limits, and the order of an epoch. Needs no torch of its own."""

import json
import shutil
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import pyarrow as pa
import pyarrow.parquet as pq
from gantry_trainer.prepared import Examples, Facts, evaluated, examples, order_of, prepare, preview
from gantry_trainer.recipe import Recipe, recipe_of
from gantry_trainer.rows import conversation_of, preference_of
from gantry_trainer.template import Template
from gantry_worker.places import Places
from gantry_worker.problem import Problem
from transformers import AutoTokenizer

from .tiny import TEMPLATE, tokenizer_from

_ROWS = [{"question": f"What is {n} and one?", "answer": f"It is {n + 1}."} for n in range(20)]
_LOOP = "{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}"


class WithRows(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.base = Path(tempfile.mkdtemp())
        cls.addClassCleanup(shutil.rmtree, cls.base)
        cls.tokenizer = tokenizer_from([text for row in _ROWS for text in row.values()])
        cls.tokenizer.save_pretrained(cls.base)
        # Loaded once for all children.
        AutoTokenizer.from_pretrained(cls.base)

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.places = Places(folder.name)
        shutil.copytree(self.base, self.places.root / "in" / "base")

    def table(self, rows: list[dict], name: str = "data-0") -> str:
        path = self.places.root / "in" / f"{name}.parquet"
        pq.write_table(pa.Table.from_pylist(rows), path, compression="zstd")
        return f"in/{name}.parquet"

    def recipe(self, *tables: str, weights: tuple = (1, 1), **more: object) -> Recipe:
        data = [{"parts": [table], "weight": weight} for table, weight in zip(tables, weights, strict=False)]
        return recipe_of({"data": data, **more})

    def template(self, text: str) -> None:
        (self.places.root / "in" / "base" / "chat_template.jinja").write_text(text)

    def refused(self, recipe: Recipe, code: str) -> Problem:
        with self.assertRaises(Problem) as told:
            prepare(recipe, self.places)
        self.assertEqual(told.exception.code, code, told.exception)
        return told.exception


class TestRows(WithRows):
    def test_only_answers_are_trained_on_up_to_the_end_of_their_turn(self) -> None:
        template = Template(self.tokenizer)
        turns = ["user", "assistant", "user", "assistant"]
        messages = [{"role": role, "content": f"It is {n}."} for n, role in enumerate(turns)]
        ids, trained = template.example(messages)
        self.assertEqual(self.tokenizer.decode(ids), template.text(messages))
        kept = self.tokenizer.decode([one for one, is_trained in zip(ids, trained, strict=True) if is_trained])
        self.assertEqual(kept, "It is 1.</s>It is 3.</s>")

    def test_what_is_asked_has_the_ids_that_an_engine_asks_with(self) -> None:
        template = Template(self.tokenizer)
        asked = [{"role": "user", "content": "What is 3 and one?"}]
        ids, trained = template.example([*asked, {"role": "assistant", "content": "It is 4."}])
        engine = self.tokenizer.apply_chat_template(asked, add_generation_prompt=True, return_dict=True)["input_ids"]
        self.assertEqual(ids[: trained.index(1)], engine)

    def test_rows_that_are_no_conversation_are_left_out(self) -> None:
        self.assertIsNone(conversation_of({"prompt": "a", "answer": None}))
        self.assertIsNone(conversation_of({"prompt": "  ", "answer": "b"}))
        self.assertIsNone(conversation_of({"messages": [{"role": "user", "content": "a"}]}))
        self.assertIsNone(conversation_of({"messages": [{"role": "root", "content": "a"}]}))
        self.assertIsNone(conversation_of({"messages": "[" * 100_000}))
        self.assertIsNone(preference_of({"prompt": "a", "chosen": "b", "rejected": "b"}))
        told = conversation_of({"messages": json.dumps([{"role": "assistant", "content": "a"}])})
        self.assertEqual(told, [{"role": "assistant", "content": "a"}])
        self.assertEqual(conversation_of({"prompt": 1, "answer": "b", "system": "c"})[0], {"role": "system", "content": "c"})

    def test_a_table_becomes_ids_once_and_counts_what_it_leaves_out(self) -> None:
        rows = [*_ROWS, {"question": None, "answer": "x"}, {"question": "What?", "answer": "It is " * 200}]
        recipe = self.recipe(self.table(rows), eval=[self.table(_ROWS[:3], "eval")], parameters={"maxLength": 40})
        facts = prepare(recipe, self.places)
        self.assertEqual((facts.sets, facts.evaluated, facts.rejected, facts.cut, facts.longest), ([21], 3, 1, 1, 40))
        data = examples(recipe, self.places, facts)
        self.assertEqual(len(data), 21)
        self.assertEqual(self.tokenizer.decode(data[3]["ids"]), "<s><|user|>What is 3 and one?<|assistant|>It is 4.</s>")
        self.assertEqual(len(evaluated(recipe, self.places, facts)), 3)
        with mock.patch("gantry_trainer.prepared.in_child", side_effect=AssertionError("read twice")):
            self.assertEqual(prepare(recipe, self.places), facts)

    def test_many_rows_are_found_again(self) -> None:
        rows = [{"question": f"What is {n}?", "answer": f"It is {n}."} for n in range(1_200)]
        recipe = self.recipe(self.table(rows), self.table(_ROWS, "data-1"))
        data = examples(recipe, self.places, prepare(recipe, self.places))
        self.assertIsInstance(data, Examples)
        for at, text in ((511, "It is 511."), (512, "It is 512."), (1_199, "It is 1199."), (1_200, "It is 1.")):
            self.assertIn(text, self.tokenizer.decode(data[at]["ids"]))

    def test_weights_mix_datasets_the_same_way_each_time(self) -> None:
        recipe = self.recipe("in/a", "in/b", weights=(2.5, 0.25))
        facts = Facts("", [10, 100], 0, 0, 0, 0, 0)
        order = list(order_of(recipe, facts))
        self.assertEqual((sum(n < 10 for n in order), sum(n >= 10 for n in order)), (25, 25))
        self.assertEqual(len({n for n in order if n >= 10}), 25)
        self.assertEqual(order, list(order_of(recipe, facts)))
        other = self.recipe("in/a", "in/b", weights=(2.5, 0.25), parameters={"seed": 1})
        self.assertNotEqual(order, list(order_of(other, facts)))
        with self.assertRaises(Problem):
            order_of(self.recipe("in/a", weights=(100,)), Facts("", [10**9], 0, 0, 0, 0, 0))

    def test_bad_tables_are_refused_by_name(self) -> None:
        told = self.refused(self.recipe(self.table([{"a": "b"}])), "NoSuchColumn")
        self.assertEqual(told.values, {"column": "question"})
        (self.places.root / "in" / "broken.parquet").write_bytes(b"PAR1" + bytes(100) + b"PAR1")
        self.refused(self.recipe("in/broken.parquet"), "TableBroken")
        self.assertEqual(self.refused(self.recipe(self.table([{"question": "", "answer": ""}])), "NothingUsable").values, {"rejected": 1})

    def test_pairs_keep_what_is_asked_apart(self) -> None:
        table = self.table([{"prompt": "What is 1?", "chosen": "It is 1.", "rejected": "It is 2."}])
        recipe = self.recipe(table, objective="DPO")
        one = examples(recipe, self.places, prepare(recipe, self.places))[0]
        told = [self.tokenizer.decode(one[name]) for name in ("prompt_ids", "chosen_ids", "rejected_ids")]
        self.assertEqual(told, ["<s><|user|>What is 1?<|assistant|>", "It is 1.</s>", "It is 2.</s>"])


class TestTemplates(WithRows):
    def test_an_endless_template_is_ended(self) -> None:
        self.template(_LOOP)
        with mock.patch("gantry_trainer.prepared.ROW_SECONDS", 0.5):
            self.assertEqual(self.refused(self.recipe(self.table(_ROWS)), "TemplateBroken").values, {"row": 1, "seconds": 0.5})

    def test_a_loop_on_one_row_alone_names_that_row(self) -> None:
        self.template("{% if '7' in messages[0]['content'] %}" + _LOOP + "{% endif %}" + TEMPLATE)
        with mock.patch("gantry_trainer.prepared.ROW_SECONDS", 0.5):
            self.assertEqual(self.refused(self.recipe(self.table(_ROWS)), "TemplateBroken").values["row"], 8)

    def test_a_template_reaches_no_python(self) -> None:
        self.template("{{ messages.__class__.__mro__[1].__subclasses__() }}")
        self.refused(self.recipe(self.table(_ROWS)), "TemplateBroken")

    def test_a_template_that_raises_or_has_mistakes_is_broken(self) -> None:
        for text in ("{{ raise_exception('no') }}", "{% for %}", "{{ 'a' * 99999999999 }}"):
            with self.subTest(text):
                self.template(text)
                self.refused(self.recipe(self.table(_ROWS)), "TemplateBroken")

    def test_a_base_without_a_template_is_refused(self) -> None:
        (self.places.root / "in" / "base" / "chat_template.jinja").unlink()
        self.refused(self.recipe(self.table(_ROWS)), "TemplateMissing")

    def test_a_base_that_brings_code_is_not_run(self) -> None:
        base = self.places.root / "in" / "base"
        (base / "evil.py").write_text("open('/tmp/gantry-evil', 'w')")
        config = json.loads((base / "tokenizer_config.json").read_bytes())
        config |= {"auto_map": {"AutoTokenizer": ["evil.Evil", "evil.Evil"]}, "tokenizer_class": "Evil"}
        (base / "tokenizer_config.json").write_text(json.dumps(config))
        try:
            prepare(self.recipe(self.table(_ROWS)), self.places)
        except Problem as problem:
            self.assertEqual(problem.code, "BaseUnreadable")
        self.assertFalse(Path("/tmp/gantry-evil").exists())


class TestPreview(WithRows):
    def test_five_rows_are_shown_as_they_are_trained_on(self) -> None:
        told = preview(self.recipe(self.table([{"question": "", "answer": "x"}, *_ROWS])), self.places)
        self.assertEqual([one["row"] for one in told], [1, 2, 3, 4, 5])
        self.assertIsNone(told[0]["pieces"])
        pieces = told[1]["pieces"]
        self.assertEqual([(one["text"], one["isTrained"]) for one in pieces], [("<s><|user|>What is 0 and one?<|assistant|>", False), ("It is 1.</s>", True)])
        self.assertEqual(self.tokenizer.decode(pieces[0]["ids"]), pieces[0]["text"])
        self.assertEqual(told[1]["tokens"], sum(len(one["ids"]) for one in pieces))

    def test_a_long_row_is_cut(self) -> None:
        told = preview(self.recipe(self.table([{"question": "What? " * 9_000, "answer": "x"}])), self.places)
        self.assertTrue(told[0]["isTooLong"] and told[0]["pieces"][0]["isCut"])
        self.assertLess(len(json.dumps(told)), 100_000)
