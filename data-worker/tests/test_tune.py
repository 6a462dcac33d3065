"""Previews of fine-tuning, as the gateway asks the data server for them."""

import json
import math
import unittest
from pathlib import Path

import duckdb
from gantry_worker.tune.rows import REASONS, Unusable, conversation_of, preference_of
from gantry_worker.tune.template import Template

from .worker import WithServer

TEMPLATE = (
    "{{ bos_token }}{% for m in messages %}{% if m['role'] == 'assistant' %}<|assistant|>{{ m['content'] }}{{ eos_token }}"
    "{% else %}<|user|>{{ m['content'] }}{% endif %}{% endfor %}{% if add_generation_prompt %}<|assistant|>{% endif %}"
)
SPECIAL = ["<s>", "</s>", "<|user|>", "<|assistant|>"]


def tokenizer_json() -> str:
    """A token for each byte, and the special ones."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers

    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    made = Tokenizer(models.BPE({letter: at for at, letter in enumerate(alphabet)}, []))
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.decoder = decoders.ByteLevel()
    made.add_special_tokens(SPECIAL)
    return made.to_str()


class WithBase(WithServer):
    here = ("tune",)

    @classmethod
    def setUpClass(cls) -> None:
        super().setUpClass()
        cls.root = Path(cls.folder.name)
        (cls.root / "in" / "base").mkdir()

    def setUp(self) -> None:
        self.base = {}
        self.file("tokenizer", tokenizer_json())
        self.file("config", json.dumps({"bos_token": "<s>", "eos_token": {"content": "</s>"}, "chat_template": TEMPLATE}))

    def file(self, name: str, content: str | bytes) -> None:
        (self.root / "in" / "base" / name).write_bytes(content.encode() if isinstance(content, str) else content)
        self.base[name] = f"in/base/{name}"

    def table(self, rows: list[dict], name: str = "rows") -> list[str]:
        source = self.root / "rows.jsonl"
        source.write_text("".join(json.dumps(row) + "\n" for row in rows))
        read = f"read_json('{source}', format = 'newline_delimited', maximum_object_size = 4000000)"
        duckdb.sql(f"COPY (FROM {read}) TO '{self.root}/in/{name}.parquet' (FORMAT parquet, ROW_GROUP_SIZE 2048)")
        return [f"in/{name}.parquet"]

    def tune(self, *data: list[str], columns: dict | None = None, **more: object):
        told = {"objective": "SFT", "columns": columns or {"prompt": "question", "answer": "answer"}, "maxLength": 2048}
        return self.call("POST", "/tune", {**told, "data": list(data), "base": self.base, **more})

    def told(self, *data: list[str], **more: object) -> dict:
        answer = self.tune(*data, **more)
        self.assertEqual(answer.status, 200, answer.body)
        return answer.json

    def refused(self, code: str, *data: list[str], **more: object) -> str:
        """Its sentence."""
        answer = self.tune(*data, **more)
        self.assertNotEqual(answer.status, 200, answer.body[:500])
        self.assertEqual(answer.code, code, answer.body)
        self.assertNotIn(self.folder.name, answer.json["problem"]["sentence"])
        return answer.json["problem"]["sentence"]

    PAIRS = [{"question": f"What is {n}?", "answer": f"It is {n}."} for n in range(20)]


class Tunes(WithBase):
    def test_five_examples_show_what_is_trained_on(self) -> None:
        told = self.told(self.table(self.PAIRS))
        self.assertEqual([(one["set"], one["row"]) for one in told["examples"]], [(0, n) for n in range(1, 6)])
        first = told["examples"][0]
        text = ["".join(text for _, text in piece["tokens"]) for piece in first["pieces"]]
        self.assertEqual(text, ["<s><|user|>What is 0?<|assistant|>", "It is 0.</s>"])
        self.assertEqual([piece["isTrained"] for piece in first["pieces"]], [False, True])
        self.assertEqual(first["tokens"], 3 + len("What is 0?") + len("It is 0.") + 1)
        self.assertEqual(first["pieces"][0]["tokens"][0], [256, "<s>"])
        expected = {"rows": 20, "sampled": 20, "usable": 20, "longest": 24, "cut": 0, "unusable": {}}
        self.assertEqual(told["sets"], [{**expected, "tokens": sum(20 + 2 * len(str(n)) for n in range(20))}])
        self.assertTrue(told["isExact"])

    def test_conversations_train_each_answer(self) -> None:
        turns = [("user", "a"), ("assistant", "b"), ("user", "c"), ("assistant", "d")]
        messages = [{"role": role, "content": content} for role, content in turns]
        for value in (messages, json.dumps(messages)):
            told = self.told(self.table([{"m": value}]), columns={"messages": "m"})
            pieces = [("".join(text for _, text in one["tokens"]), one["isTrained"]) for one in told["examples"][0]["pieces"]]
            self.assertEqual(pieces, [("<s><|user|>a<|assistant|>", False), ("b</s>", True), ("<|user|>c<|assistant|>", False), ("d</s>", True)])

    def test_preferences_show_both_answers(self) -> None:
        rows = [{"p": "a", "c": "good", "r": [{"role": "assistant", "content": "bad"}]}, {"p": "a", "c": "x", "r": [{"role": "assistant", "content": "x"}]}]
        told = self.told(self.table(rows), columns={"prompt": "p", "chosen": "c", "rejected": "r"}, objective="DPO")
        self.assertEqual(["".join(text for _, text in one["tokens"]) for one in told["examples"][0]["pieces"]], ["<s><|user|>a<|assistant|>", "good</s>", "bad</s>"])
        self.assertEqual(told["examples"][1], {"set": 0, "row": 2, "reason": "SameAnswers"})
        self.assertEqual(told["sets"][0]["tokens"], 2 * 4 + 5 + 4)
        self.assertEqual(told["sets"][0]["longest"], 4 + 5)

    def test_rows_that_cannot_be_used_have_reasons(self) -> None:
        rows = [{"question": "q", "answer": None}, {"question": " ", "answer": "a"}, {"question": "q", "answer": "a"}, {"question": "q" * 50, "answer": "a"}]
        told = self.told(self.table(rows), maxLength=16)
        self.assertEqual(told["sets"][0]["unusable"], {"NoAnswer": 1, "NoPrompt": 1, "NothingTrained": 1})
        self.assertEqual((told["sets"][0]["usable"], told["sets"][0]["sampled"]), (1, 4))
        self.assertEqual([one.get("reason") for one in told["examples"]], ["NoAnswer", "NoPrompt", None, "NothingTrained"])

    def test_what_is_longer_than_the_limit_is_cut(self) -> None:
        told = self.told(self.table([{"question": "q", "answer": "a" * 100}, {"question": "q", "answer": "a"}]), maxLength=20)
        self.assertEqual([one["isTooLong"] for one in told["examples"]], [True, False])
        self.assertEqual({name: told["sets"][0][name] for name in ("cut", "tokens", "longest")}, {"cut": 1, "tokens": 20 + 6, "longest": 105})

    def test_several_datasets_share_the_examples_and_the_sample(self) -> None:
        told = self.told(*(self.table(self.PAIRS, f"t{n}") for n in range(3)))
        self.assertEqual([(one["set"], one["row"]) for one in told["examples"]], [(0, 1), (0, 2), (0, 3), (1, 1), (2, 1)])
        self.assertEqual([one["sampled"] for one in told["sets"]], [20, 20, 20])

    def test_a_large_table_is_sampled_from_all_over_it(self) -> None:
        """Rows become longer: the beginning alone would say half of it."""
        duckdb.sql(f"""COPY (SELECT 'q' AS question, repeat('a', 1 + i // 100) AS answer FROM range(50000) t(i))
            TO '{self.root}/in/large.parquet' (FORMAT parquet, ROW_GROUP_SIZE 4096)""")
        told = self.told(["in/large.parquet"])
        one = told["sets"][0]
        self.assertEqual((told["isExact"], one["rows"], one["sampled"]), (False, 50_000, 1_024))
        mean = 5 + sum(1 + i // 100 for i in range(50_000)) / 50_000
        self.assertAlmostEqual(one["tokens"] / one["sampled"], mean, delta=mean * 0.05)
        self.assertGreater(one["longest"], 490)

    def test_a_table_in_parts_is_one(self) -> None:
        parts = [self.table(self.PAIRS[n : n + 5], f"p{n}")[0] for n in range(0, 20, 5)]
        told = self.told(parts)
        self.assertEqual((told["sets"][0]["rows"], told["sets"][0]["sampled"]), (20, 20))
        self.assertEqual(told["sets"][0]["tokens"], self.told(self.table(self.PAIRS))["sets"][0]["tokens"])

    def test_columns_that_are_not_there_are_named(self) -> None:
        self.assertIn("Dataset 2 has no column answer", self.refused("NoSuchColumn", self.table(self.PAIRS), self.table([{"question": "x"}], "other")))

    def test_columns_with_strange_names_are_read(self) -> None:
        name = "a \"b' ; --"
        self.assertEqual(self.told(self.table([{name: "q", "answer": "a"}]), columns={"prompt": name, "answer": "answer"})["sets"][0]["usable"], 1)

    def test_requests_that_break_a_rule_are_refused_with_the_field(self) -> None:
        data = self.table(self.PAIRS)
        for more, field in (
            ({"objective": "X"}, "objective"),
            ({"columns": {"x": "y"}}, "columns"),
            ({"columns": {"prompt": 1}}, "columns"),
            ({"columns": ["x"]}, "columns"),
            ({"maxLength": 1}, "maxLength"),
            ({"maxLength": True}, "maxLength"),
            ({"data": []}, "data"),
            ({"data": [[]]}, "data"),
            ({"data": [["/etc/passwd"]]}, "data"),
            ({"data": [data] * 9}, "data"),
            ({"base": []}, "base"),
            ({"base": {"tokenizer": "../../etc/passwd"}}, "base.tokenizer"),
        ):
            answer = self.tune(data, **more)
            self.assertEqual((answer.status, answer.code, answer.json["problem"]["values"]["field"]), (400, "BadField", field), more)

    def test_templates_that_fail_are_told_by_a_sentence(self) -> None:
        data = self.table(self.PAIRS)
        for source, words in (
            ("{% for m in messages %}", "cannot be read"),
            ("{{ messages[7].content.x.y }}", "fails on a conversation"),
            ("{{ raise_exception('Roles must alternate.') }}", "Roles must alternate."),
            ("{{ ''.__class__.__mro__ }}", "unsafe"),
            ("{{ namespace(__class__=1) }}", "namespace"),
            ("{{ cycler.__init__.__globals__ }}", "unsafe"),
            ("{{ messages.append(1) }}", "unsafe"),
            ("{{ 10 ** 1000000000 }}", "power"),
            ("{{ 'a' * 20000000 }}", "more than"),
            ("{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}", "recursion"),
            ("{% for i in range(1000000000) %}{% endfor %}", "too big"),
        ):
            self.file("template", source)
            self.assertIn(words, self.refused("TemplateBroken", data), source)
        self.is_sound()

    def test_files_of_a_tokenizer_that_are_none_are_refused(self) -> None:
        data = self.table(self.PAIRS)
        for content in ("", "{}", "[]", "nope", b"\xff\xfe", '{"model": {}}', "[" * 100_000, tokenizer_json()[:-50], tokenizer_json().replace("256", "-1")):
            self.file("tokenizer", content)
            self.assertTrue(self.refused("TokenizerBroken", data))
        self.file("tokenizer", tokenizer_json())
        for name, content, code in (
            ("config", "nope", "TokenizerBroken"),
            ("config", "[]", "TokenizerBroken"),
            ("config", "[" * 100_000, "TokenizerBroken"),
            ("config", b"\xff", "TokenizerBroken"),
            ("config", "{}", "TemplateMissing"),
            ("config", '{"chat_template": 7}', "TemplateMissing"),
            ("config", '{"chat_template": [{"name": "tool_use", "template": "x"}]}', "TemplateMissing"),
            ("config", '{"chat_template": "x", "added_tokens_decoder": {"a": 1}}', "TokenizerBroken"),
            ("config", '{"chat_template": "x", "added_tokens_decoder": {"1": {"content": 7}}}', "TokenizerBroken"),
        ):
            self.file(name, content)
            self.assertTrue(self.refused(code, data), content)
        self.base.pop("tokenizer")
        self.refused("TokenizerMissing", data)
        self.is_sound()

    def test_the_template_of_a_file_and_the_default_one_of_several_are_used(self) -> None:
        data = self.table(self.PAIRS)
        shown = lambda: "".join(text for piece in self.told(data)["examples"][0]["pieces"] for _, text in piece["tokens"])  # noqa: E731
        many = [{"name": "tool_use", "template": "x"}, {"name": "default", "template": TEMPLATE.replace("<|user|>", "U:")}]
        self.file("config", json.dumps({"chat_template": many, "bos_token": "<s>", "eos_token": "</s>"}))
        self.assertTrue(shown().startswith("<s>U:"))
        self.file("template", TEMPLATE.replace("<|user|>", "F:"))
        self.assertTrue(shown().startswith("<s>F:"))

    def test_older_bases_have_their_special_tokens_in_a_file(self) -> None:
        data = self.table(self.PAIRS)
        self.file("config", json.dumps({"chat_template": TEMPLATE, "bos_token": "<old>"}))
        self.file("special", json.dumps({"bos_token": {"content": "<new>"}, "eos_token": "</s>", "additional_special_tokens": [7]}))
        first = self.told(data)["examples"][0]["pieces"][0]["tokens"]
        # It gets an id of its own.
        self.assertEqual(first[0], [260, "<new>"])

    def test_large_rows_and_characters_of_several_tokens_are_counted(self) -> None:
        rows = [{"question": "q" * 900_000, "answer": "a"}, {"question": "数", "answer": "😀"}]
        told = self.told(self.table(rows), maxLength=131_072)
        self.assertEqual(told["sets"][0]["unusable"], {"NothingTrained": 1})
        self.assertEqual([text for _, text in told["examples"][1]["pieces"][0]["tokens"]], ["<s>", "<|user|>", "数", "", "", "<|assistant|>"])
        self.assertEqual(told["sets"][0]["tokens"], 1 + 1 + 3 + 1 + 4 + 1)

    def test_a_base_is_at_most_so_large(self) -> None:
        with (self.root / "in" / "base" / "tokenizer").open("r+b") as file:
            file.truncate(65 * 1024 * 1024)
        self.assertIn("bytes", self.refused("TokenizerBroken", self.table(self.PAIRS)))


class Limits(WithBase):
    """In a process of its own, as it always is."""

    here = ()

    def test_templates_without_an_end_are_ended(self) -> None:
        data = self.table(self.PAIRS)
        self.file("template", "{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}")
        self.assertIn("Row 1 of dataset 1 takes longer than 10 s", self.refused("TemplateBroken", data))

    def test_templates_that_take_all_memory_are_ended(self) -> None:
        data = self.table(self.PAIRS)
        for source in (
            "{{ 'a' * 10000000000 }}",
            "{% set ns = namespace(x='a') %}{% for i in range(60) %}{% set ns.x = ns.x + ns.x %}{% endfor %}",
            "{{ '%1000000000d' % 1 }}{{ ('b' * 1000000000)|upper }}",
        ):
            self.file("template", source)
            answer = self.tune(data)
            self.assertIn(answer.code, ("TemplateBroken", "TooMuchMemory"), source)
        self.is_sound()

    def test_a_tokenizer_that_panics_is_told_by_a_sentence(self) -> None:
        made = json.loads(tokenizer_json())
        made["pre_tokenizer"] = {"type": "Split", "pattern": {"Regex": "(a+)+b"}, "behavior": "Isolated", "invert": False}
        self.file("tokenizer", json.dumps(made))
        self.assertIn("cannot be used", self.refused("TokenizerBroken", self.table([{"question": "a" * 40, "answer": "x"}])))
        self.is_sound()


class Rows(unittest.TestCase):
    def reason(self, make, row: dict) -> str:
        with self.assertRaises(Unusable) as caught:
            make(row)
        self.assertIn(caught.exception.reason, REASONS)
        return caught.exception.reason

    def test_values_that_are_no_text_are_none(self) -> None:
        for value in (None, True, math.nan, math.inf, "", " \n", b"x", {}, [], "\ud800", "x" * (5 * 1024 * 1024)):
            self.assertEqual(self.reason(conversation_of, {"prompt": "q", "answer": value}), "NoAnswer", repr(value)[:20])
            self.assertEqual(self.reason(conversation_of, {"prompt": value, "answer": "a"}), "NoPrompt", repr(value)[:20])
        self.assertEqual(conversation_of({"prompt": 1, "answer": 2.5}), [{"role": "user", "content": "1"}, {"role": "assistant", "content": "2.5"}])

    def test_messages_that_are_none_are_refused(self) -> None:
        good = {"role": "user", "content": "x"}
        for value in (None, 7, "x", [], [7], [{"role": "x", "content": "y"}], [{"role": "user"}], [good] * 1001, "[" * 100_000, '["\\ud800"]', [{"role": "user", "content": "\ud800"}]):
            self.assertEqual(self.reason(conversation_of, {"messages": value}), "NotMessages", repr(value)[:40])
        self.assertEqual(self.reason(conversation_of, {"messages": [good]}), "NoAssistant")

    def test_preferences_need_two_answers(self) -> None:
        self.assertEqual(self.reason(preference_of, {"prompt": "q", "chosen": "a"}), "NoAnswer")
        self.assertEqual(preference_of({"prompt": "q", "system": "s", "chosen": "a", "rejected": "b"})[0][0], {"role": "system", "content": "s"})

    def test_templates_have_what_transformers_gives_them(self) -> None:
        """The texts are those of transformers 5.24 (`apply_chat_template`), for the same templates."""
        golden = json.loads((Path(__file__).parent / "templates.json").read_text())
        for one in golden:
            made = Template(one["template"], {"bos_token": "<s>", "eos_token": "</s>"})
            self.assertEqual(made.text(one["messages"], one["asks"]), one["text"], one["template"])
