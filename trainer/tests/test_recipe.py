"""What a recipe may say, and the arithmetic of steps. Needs Python alone."""

import json
import tempfile
import unittest
from pathlib import Path

from gantry_trainer.gguf import check_convertible
from gantry_trainer.recipe import Recipe, recipe_of
from gantry_worker.problem import Problem

_DATA = [{"parts": ["in/data/0/00000-a.parquet"], "weight": 1}]


def recipe(**more: object) -> Recipe:
    return recipe_of({"kind": "FineTune", "data": _DATA, **more})


class TestRecipe(unittest.TestCase):
    def test_defaults_are_those_of_the_kind(self) -> None:
        told = recipe()
        self.assertEqual((told.objective, told.method, told.form, told.columns), ("SFT", "LoRA", "Adapter", {"prompt": "question", "answer": "answer"}))
        self.assertEqual(
            (told.parameters.epochs, told.parameters.batch, told.parameters.learning_rate, told.parameters.max_length), (3, 8, 2e-4, 2_048)
        )
        self.assertEqual(recipe(method="Full").parameters.learning_rate, 2e-5)
        self.assertEqual(recipe(method="Full").form, "Merged")
        self.assertEqual(recipe(objective="DPO").parameters.learning_rate, 5e-6)
        self.assertEqual(recipe(objective="DPO").columns, {"prompt": "prompt", "chosen": "chosen", "rejected": "rejected"})

    def test_the_first_field_that_breaks_its_rule_is_named(self) -> None:
        broken = {
            "kind": {"kind": "Job"},
            "objective": {"objective": "PPO"},
            "method": {"method": "lora"},
            "output.form": {"method": "Full", "output": {"form": "Adapter"}},
            "output.gguf": {"output": {"gguf": True}},
            "columns": {"columns": {"prompt": "a"}},
            "columns.prompt": {"columns": {"prompt": "", "answer": "b"}},
            "parameters.epochs": {"parameters": {"epochs": 0}},
            "parameters.maxSteps": {"parameters": {"epochs": 1, "maxSteps": 2}},
            "parameters.batch": {"parameters": {"batch": True}},
            "parameters.learningRate": {"parameters": {"learningRate": float("nan")}},
            "parameters.schedule": {"parameters": {"schedule": "cosine"}},
            "parameters.seed": {"parameters": {"seed": -1}},
            "checkpoints.keep": {"checkpoints": {"keep": 21}},
            "earlyStop": {"earlyStop": {"patience": 1}},
            "data": {"data": []},
            "data.weight": {"data": [{"parts": ["in/a"], "weight": 0}]},
            "data.parts": {"data": [{"parts": ["in/../out/a"]}]},
            "base": {"base": "/etc"},
            "checkpoint": {"checkpoint": "out/checkpoint-1"},
            "threads": {"threads": 0},
        }
        for field, more in broken.items():
            with self.subTest(field), self.assertRaises(Problem) as told:
                recipe(**more)
            self.assertEqual((told.exception.code, told.exception.values), ("BadField", {"field": field}))

    def test_columns_suit_the_objective(self) -> None:
        self.assertEqual(recipe(columns={"messages": "m"}).columns, {"messages": "m"})
        for columns in ({"messages": "m", "prompt": "p"}, {"prompt": "p", "answer": "a", "chosen": "c"}, {"answer": "a"}):
            with self.subTest(columns), self.assertRaises(Problem):
                recipe(columns=columns)

    def test_steps_follow_from_epochs_batches_and_workers(self) -> None:
        told = recipe(parameters={"epochs": 2, "batch": 8, "accumulate": 2})
        # 100 rows are 13 batches, 7 steps.
        self.assertEqual((told.steps(100, 1), told.steps(100, 2), told.steps(1, 1)), (14, 8, 2))
        self.assertEqual(recipe(parameters={"epochs": 0.5, "batch": 10}).steps(100, 1), 5)
        self.assertEqual(recipe(parameters={"maxSteps": 7}).steps(100, 4), 7)

    def test_ten_checkpoints_unless_it_says_how_often(self) -> None:
        self.assertEqual((recipe().save_every(95), recipe().save_every(3)), (10, 1))
        self.assertEqual(recipe(checkpoints={"everySteps": 40}).save_every(95), 40)

    def test_another_learning_rate_leaves_the_same_tokens(self) -> None:
        self.assertEqual(recipe().digest, recipe(parameters={"learningRate": 0.5}).digest)
        self.assertNotEqual(recipe().digest, recipe(parameters={"maxLength": 16}).digest)

    def test_a_tokenizer_that_merges_nothing_is_not_promised_as_gguf(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            base = Path(folder)
            (base / "tokenizer.json").write_text(json.dumps({"model": {"type": "BPE", "vocab": {"a": 0}, "merges": []}}))
            with self.assertRaises(Problem) as raised:
                check_convertible(base, base)
        self.assertEqual(raised.exception.values, {"field": "output.gguf"})
        self.assertIn("merges nothing", raised.exception.sentence)
