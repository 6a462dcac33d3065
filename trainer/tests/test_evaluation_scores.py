"""Recipes of evaluations, metrics, intervals, and the choice of rows: without a model. Needs numpy and pyarrow."""

import unittest
from itertools import product

from gantry_trainer.evaluate.chosen import chosen
from gantry_trainer.evaluate.metrics import exact_match, f1, rouge_l, words
from gantry_trainer.evaluate.recipe import recipe_of
from gantry_trainer.evaluate.statistics import compared, scored
from gantry_worker.problem import Problem

_TASK = {"key": "0", "metric": "F1", "parts": ["in/a.parquet"]}
_JUDGE = {"model": "judge"}


def recipe(**more: object):
    return recipe_of({"kind": "Evaluation", "subjects": [{"key": "0", "model": "m"}, {"key": "1", "model": "n"}], "tasks": [_TASK], **more})


class TestRecipe(unittest.TestCase):
    def test_the_first_field_that_breaks_its_rule_is_named(self) -> None:
        broken = {
            "kind": {"kind": "FineTune"},
            "subjects": {"subjects": []},
            "subjects.key": {"subjects": [{"key": "0", "model": "m"}, {"key": "0", "model": "n"}]},
            "subjects.model": {"subjects": [{"key": "0", "model": ""}]},
            "tasks": {"tasks": [_TASK] * 17},
            "tasks.key": {"tasks": [{**_TASK, "key": "../0"}]},
            "tasks.metric": {"tasks": [{**_TASK, "metric": "Bleu"}]},
            "tasks.parts": {"tasks": [{**_TASK, "parts": ["in/../out/a"]}]},
            "tasks.columns": {"tasks": [{**_TASK, "columns": {"prompt": "a"}}]},
            "judge": {"tasks": [{**_TASK, "metric": "Judge"}]},
            "judge.rubric": {"judge": {"model": "j", "rubric": 3}},
            "baseline": {"tasks": [{**_TASK, "metric": "Pairwise"}], "judge": _JUDGE},
            "limit": {"limit": 0},
            "seed": {"seed": -1},
            "maxTokens": {"maxTokens": 10**6},
            "maxRejectedPercent": {"maxRejectedPercent": float("nan")},
            "budget": {"budget": "all"},
            "performance.concurrency": {"performance": {"concurrency": [64]}},
            "performance.seconds": {"performance": {"seconds": 10**6}},
        }
        for field, more in broken.items():
            with self.subTest(field), self.assertRaises(Problem) as told:
                recipe(**more)
            self.assertEqual((told.exception.code, told.exception.values), ("BadField", {"field": field}))

    def test_a_baseline_is_one_of_the_subjects(self) -> None:
        self.assertEqual(recipe(baseline="1").baseline, "1")
        with self.assertRaises(Problem):
            recipe(baseline="2")

    def test_only_a_judge_needs_no_answer_to_compare_with(self) -> None:
        task = {**_TASK, "metric": "Judge", "columns": {"prompt": "p", "system": "s"}}
        self.assertEqual(recipe(tasks=[task], judge=_JUDGE).tasks[0].columns, {"prompt": "p", "system": "s"})

    def test_a_task_of_the_harness_is_refused_with_a_sentence(self) -> None:
        with self.assertRaises(Problem) as told:
            recipe(tasks=[{"key": "0", "harness": "gsm8k"}])
        self.assertEqual(told.exception.code, "HarnessUnavailable")
        self.assertIn("gsm8k", told.exception.sentence)


class TestMetrics(unittest.TestCase):
    def test_an_exact_match_minds_case_and_signs_but_no_white_space(self) -> None:
        told = {("Paris", " Paris\n"): 1, ("New  York", "New\tYork"): 1, ("Paris", "paris"): 0, ("Paris", "Paris."): 0, ("a b", "ab"): 0, ("a", ""): 0}
        for (expected, answer), score in told.items():
            with self.subTest(expected=expected, answer=answer):
                self.assertEqual(exact_match(expected, answer), score)

    def test_words_are_those_of_squad(self) -> None:
        self.assertEqual(words("The cat's hat, (a) U.S. one\u00a0— an $5.30!"), ["cats", "hat", "us", "one", "530"])
        self.assertEqual(words("東京は日本の Capital です。"), [*"東京は日本の", "capital", *"です"])

    def test_f1_counts_words_in_common(self) -> None:
        self.assertEqual(f1("the cat sat", "The cat sat."), 1)
        # 2 of 3 words expected, 2 of 4 said.
        self.assertAlmostEqual(f1("cat sat mat", "cat sat on it"), 4 / 7)
        # A word counts as often as both have it.
        self.assertAlmostEqual(f1("no", "no no no"), 0.5)
        self.assertEqual((f1("cat", "dog"), f1("cat", ""), f1("", "cat"), f1("the", "a")), (0, 0, 0, 1))
        self.assertAlmostEqual(f1("東京", "東京都"), 4 / 5)

    def test_rouge_l_is_the_longest_common_subsequence(self) -> None:
        self.assertAlmostEqual(rouge_l("police killed gunman", "police kill gunman"), 4 / 6)
        self.assertAlmostEqual(rouge_l("police killed gunman", "gunman killed police"), 2 / 6)
        self.assertEqual((rouge_l("cat", ""), rouge_l("", ""), rouge_l("a cat", "cat")), (0, 1, 1))

    def test_rouge_l_is_right_on_all_short_texts(self) -> None:
        texts = [" ".join(some) for length in range(1, 5) for some in product("xyz", repeat=length)]
        for one, other in product(texts[::3], texts):
            wanted, told = one.split(), other.split()
            self.assertAlmostEqual(rouge_l(one, other), 2 * _slowly(wanted, told) / (len(wanted) + len(told)), msg=(one, other))

    def test_a_mebibyte_of_text_is_scored_in_bounded_work(self) -> None:
        one, other = ("x y " * 300_000)[: 1024 * 1024], "y " * 500_000
        # By the square of its words it would take hours.
        self.assertAlmostEqual(rouge_l(one, other), 0.5)
        self.assertGreater(f1(one, other), 0.5)
        self.assertEqual(exact_match("a" * 1024 * 1024, "b" * 1024 * 1024), 0)


def _slowly(one: list[str], other: list[str]) -> int:
    row = [0] * (len(other) + 1)
    for word in one:
        before = row[:]
        for n, told in enumerate(other, 1):
            row[n] = before[n - 1] + 1 if word == told else max(row[n - 1], before[n])
    return row[-1]


class TestStatistics(unittest.TestCase):
    def test_an_interval_has_the_mean_in_it_and_is_the_same_for_the_same_seed(self) -> None:
        values = [1.0] * 30 + [0.0] * 10
        told = scored(values, 3)
        self.assertEqual((told["value"], told["n"]), (0.75, 40))
        # The normal approximation has 0.62 to 0.88.
        self.assertTrue(0.55 < told["low"] < 0.7 and 0.82 < told["high"] < 0.95, told)
        self.assertEqual(told, scored(values, 3))

    def test_a_difference_that_may_be_chance_is_none(self) -> None:
        base = [0.0, 1.0] * 20
        self.assertEqual(compared(base, base, 0)["verdict"], "no_difference")
        one_better = [1.0, 1.0, *base[2:]]
        told = compared(one_better, base, 0)
        self.assertEqual((told["better"], told["worse"], told["verdict"]), (1, 0, "no_difference"))

    def test_a_difference_beyond_chance_has_its_direction(self) -> None:
        base, other = [0.0] * 40, [1.0] * 20 + [0.0] * 20
        told = compared(other, base, 0)
        self.assertEqual((told["difference"], told["better"], told["worse"], told["n"], told["verdict"]), (0.5, 20, 0, 40, "better"))
        self.assertTrue(0 < told["low"] < 0.5 < told["high"], told)
        self.assertEqual(compared(base, other, 0)["verdict"], "worse")

    def test_pairing_sees_what_intervals_by_themselves_do_not(self) -> None:
        base = [n / 100 for n in range(100)]
        other = [value + 0.02 for value in base]
        apart = scored(base, 0), scored(other, 0)
        self.assertGreater(apart[0]["high"], apart[1]["low"])
        self.assertEqual(compared(other, base, 0)["verdict"], "better")

    def test_a_handful_of_rows_shows_nothing(self) -> None:
        self.assertEqual(compared([1.0] * 5, [0.0] * 5, 0)["verdict"], "no_difference")
        self.assertEqual(compared([1.0] * 6, [0.0] * 6, 0)["verdict"], "better")


class TestChoice(unittest.TestCase):
    def test_the_seed_chooses_rows_and_a_higher_limit_adds_to_them(self) -> None:
        some, more = chosen(1_000, 10, 7), chosen(1_000, 50, 7)
        self.assertEqual((len(set(some)), len(set(more))), (10, 50))
        self.assertLess(set(some), set(more))
        self.assertEqual(some, sorted(some))
        self.assertNotEqual(some, chosen(1_000, 10, 8))
        # The same in each version of Python, and of this program.
        self.assertEqual(chosen(1_000, 5, 7), [419, 531, 583, 801, 988])
        self.assertEqual(chosen(20, 20, 1), list(range(20)))
