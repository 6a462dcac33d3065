"""Tasks that ask no model: rows cleaned, split, converted, and read from headings."""

import csv
import io
import json
import random
import tempfile
import unittest
from pathlib import Path
from collections import Counter

import numpy

from gantry_worker.task.near import ALIKE, Near, signature
from gantry_worker.task.personal import masked
from gantry_worker.task.texts import cut_to_tokens, paragraphs, sentences, tokens, words

from .task import WithTask


class Cleaning(WithTask):
    def cleaned(self, **parameters: object):
        self.recipe("Clean", **parameters)
        return self.run_here()

    def test_exact_duplicates_go_and_the_first_stays(self) -> None:
        self.table([{"id": n % 3, "text": f"text {n % 3}"} for n in range(7)])
        ran = self.cleaned(duplicates="Exact")
        self.assertEqual((self.done(ran)["rows"], ran.last["removed"], ran.last["rejected"]), (3, {"Duplicate": 4}, 0))
        self.assertEqual(self.rows(ran, "data"), [(0, "text 0"), (1, "text 1"), (2, "text 2")])
        self.assertEqual(self.rows(ran, "rejected", "line, code", "rejected"), [(n, "Duplicate") for n in (4, 5, 6, 7)])

    def test_rows_that_differ_in_a_number_or_in_nothing_and_null_are_no_duplicates(self) -> None:
        self.sql("SELECT * FROM (VALUES (1, 'a'), (2, 'a'), (NULL, 'a'), (1, NULL), (1, '')) t(n, text)")
        self.assertEqual(self.done(self.cleaned(duplicates="Exact"))["rows"], 5)

    def test_near_duplicates_go_in_three_languages(self) -> None:
        words_of = [f"word{n}" for n in range(200)]
        base = " ".join(words_of)
        changed = " ".join([*words_of[:100], "other", *words_of[101:]])
        chinese = "".join(chr(0x4E00 + n * 7 % 5_000) for n in range(300))
        self.table([{"text": text} for text in (base, changed, "Something else altogether is here.", chinese, chinese[:150] + "的" + chinese[151:], base[:300])])
        ran = self.cleaned(duplicates="Near")
        self.assertEqual(self.done(ran)["removed"], {"NearDuplicate": 2})
        self.assertEqual(self.rows(ran, "rejected", "line", "rejected"), [(2,), (5,)])

    def test_short_and_long_rows_and_other_languages_go_with_their_reason(self) -> None:
        english, german = "This is a sentence in plain English, as everybody can see.", "Dies ist ein Satz in deutscher Sprache, wie jeder sehen kann."
        self.table([{"text": text} for text in ("x", english, german, "long " * 100, "你好，这是一个用中文写的句子，大家都能看懂。")])
        ran = self.cleaned(minChars=5, maxChars=200, languages=["en", "zh"])
        self.assertEqual(self.done(ran)["removed"], {"TooShort": 1, "OtherLanguage": 1, "TooLarge": 1})
        self.assertEqual(self.rows(ran, "rejected", "line, code, reason", "rejected")[1], (3, "OtherLanguage", "is in a language that is not wanted"))

    def test_masked_rows_keep_their_types_and_nobody_finds_the_data_among_rejects(self) -> None:
        self.sql(
            "SELECT n, DATE '2026-01-01' + n::INT AS day, 'mail a' || n || '@example.org now' AS text, {'who': 'b@example.org', 'n': 4111111111111111} AS more, "
            "['+81 90-1234-5678', NULL] AS phones, 1.50::DECIMAL(9,2) AS price FROM range(3000) t(n)"
        )
        ran = self.cleaned(maskPersonalData=True, duplicates="Exact", minChars=10)
        self.assertEqual(self.done(ran)["masked"], {"email": 6_000, "phone": 3_000})
        rows = self.rows(ran, "data", "n, day::VARCHAR, text, more, phones, typeof(price), typeof(more)")
        self.assertEqual(len(rows), 3_000)
        for n, row in enumerate(rows):
            self.assertEqual(row[0], n)
            self.assertEqual(row[2:5], ("mail [email] now", {"who": "[email]", "n": 4111111111111111}, ["[phone]", None]))
        self.assertEqual(rows[1][1], "2026-01-02")
        self.assertEqual(rows[0][5:], ("DECIMAL(9,2)", "STRUCT(who VARCHAR, n BIGINT)"))
        self.table([{"text": "a@example.org"}, {"text": "this is long enough"}])
        ran = self.cleaned(maskPersonalData=True, minChars=10)
        self.assertEqual(self.rows(ran, "rejected", "text", "rejected"), [("[email]",)])

    def test_documents_are_judged_by_their_text(self) -> None:
        self.documents(("a.pdf", "pdf", 1, "The same page."), ("b.pdf", "pdf", 9, "The same page."), ("b.pdf", "pdf", 10, "Another page."))
        ran = self.cleaned(duplicates="Exact")
        self.assertEqual(self.rows(ran, "data", "file, page"), [("a.pdf", 1), ("b.pdf", 10)])
        self.assertEqual(self.rows(ran, "rejected", "file, line", "rejected"), [("b.pdf", 2)])

    def test_a_cleaning_that_leaves_nothing_is_no_success(self) -> None:
        self.table([{"text": "short"}])
        self.assertEqual(self.failed(self.cleaned(minChars=100), "NothingMade")["values"], {"reasons": {"TooShort": 1}})


class Masks(unittest.TestCase):
    FOUND = {
        "Mail to Jane.Doe+x@mail.example.co.jp, please": "email",
        "卡号是4111 1111 1111 1111。": "card",
        "5500-0055-5555-5559": "card",
        "IBAN DE89 3704 0044 0532 0130 00.": "iban",
        "GB29NWBK60161331926819": "iban",
        "host 192.168.0.254 is up": "ip",
        "from 2001:db8::8a2e:370:7334 on": "ip",
        "身份证11010519491231002X号": "chinese-id",
        "番号は123456789018です": "my-number",
        "マイナンバー 1234-5678-9018": "my-number",
        "ring +49 30 123456": "phone",
        "手机13912345678": "phone",
        "電話は03-1234-5678まで": "phone",
        "携帯09012345678": "phone",
        "call (415) 555-2671": "phone",
        "４１１１１１１１１１１１１１１１": "card",
    }
    NOT = (
        "4111 1111 1111 1112",
        "0000 0000 0000 0000",
        "DE89 3704 0044 0532 0130 01",
        "999.1.1.300",
        "110105194912310021",
        "123456789019",
        "It is 12:30:45 now",
        "version 1.2.3",
        "a @ b",
        "12345678",
        "2026-11-29",
        "1.23456789012345678",
        "namespace::thing",
    )

    def test_each_kind_is_found(self) -> None:
        for text, kind in self.FOUND.items():
            with self.subTest(text):
                found: Counter[str] = Counter()
                told = masked(text, found)
                self.assertEqual((dict(found), f"[{kind}]" in told), ({kind: 1}, True), told)

    def test_what_fails_its_checksum_or_is_something_else_stays(self) -> None:
        for text in self.NOT:
            with self.subTest(text):
                found: Counter[str] = Counter()
                self.assertEqual((masked(text, found), dict(found)), (text, {}))

    def test_work_grows_as_the_text_does_and_no_faster(self) -> None:
        for piece in ("1", "1 ", "a", "a.", "a@", "@a.", "1:", "1.", "+1 ", "0-", "GB29 ", "(1", "aa11 "):
            with self.subTest(piece):
                # Of a pattern that tries all pairs, this would take hours.
                self.assertIsInstance(masked(piece * (100_000 // len(piece)), Counter()), str)


class NearDuplicates(unittest.TestCase):
    def test_texts_above_the_threshold_are_found_and_those_below_are_not(self) -> None:
        chance = random.Random(3)
        vocabulary = [f"v{n}" for n in range(5_000)]
        bases = [chance.choices(vocabulary, k=120) for _ in range(200)]
        close = [[*base[:60], "x", *base[61:]] for base in bases]
        far = [[word if chance.random() < 0.6 else chance.choice(vocabulary) for word in base] for base in bases]
        with tempfile.TemporaryDirectory() as folder:
            near = Near(Path(folder) / "signatures")
            for n, said in enumerate([*bases, *close, *far]):
                near.add(n, " ".join(said))
            found = set(near.duplicates())
        self.assertGreaterEqual(len(found & set(range(200, 400))), 196)
        self.assertEqual(found - set(range(200, 400)), set())

    def test_a_signature_estimates_how_much_is_shared(self) -> None:
        said = [f"w{n}" for n in range(400)]
        share = float((signature(" ".join(said)) == signature(" ".join(said[:360]))).mean())
        self.assertLess(abs(share - 0.9), 0.1)
        self.assertTrue(0 < ALIKE < 1 and numpy.array_equal(signature(""), signature("")))

    def test_very_many_rows_of_one_band_end(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            near = Near(Path(folder) / "signatures")
            for n in range(3_000):
                near.add(n, "the same text in each row")
            self.assertEqual(near.duplicates(), list(range(1, 3_000)))


class Splitting(WithTask):
    def split(self, seed: int = 1):
        self.recipe("Split", parts=[{"name": "train", "percent": 80}, {"name": "test", "percent": 20}], seed=seed)
        ran = self.run_here()
        self.done(ran)
        return ran, [self.rows(ran, name) for name in ("train", "test")]

    def test_every_row_is_in_one_part_and_equal_rows_are_in_the_same(self) -> None:
        self.sql("SELECT n % 2000 AS share, 'text ' || (n % 2000) AS text, [n % 2000] AS list FROM range(4000) t(n)")
        ran, (train, test) = self.split()
        self.assertEqual(ran.last["rows"], len(train) + len(test))
        self.assertEqual(len(train) + len(test), 4_000)
        self.assertTrue(0.15 < len(test) / 4_000 < 0.25)
        self.assertEqual({row[0] for row in train} & {row[0] for row in test}, set())

    def test_a_row_stays_in_its_part_when_others_come_and_moves_with_the_seed(self) -> None:
        self.table([{"text": f"t{n}"} for n in range(500)])
        _, (_, test) = self.split()
        self.table([{"text": f"t{n}"} for n in range(700)][::-1])
        _, (_, more) = self.split()
        self.assertTrue(set(test) < set(more))
        self.assertNotEqual(set(self.split(2)[1][1]), set(more))

    def test_a_part_without_rows_is_a_file_without_rows(self) -> None:
        self.table([{"text": "only one"}])
        ran, (train, test) = self.split()
        self.assertEqual((len(train) + len(test), len(ran.of("output"))), (1, 2))

    def test_parts_that_are_no_parts_are_refused(self) -> None:
        self.table([{"text": "x"}])
        for parts, field in (
            ([{"name": "a", "percent": 50}, {"name": "b", "percent": 40}], "parts.percent"),
            ([{"name": "a", "percent": 50}, {"name": "A", "percent": 50}], "parts.name"),
            ([{"name": "../a", "percent": 50}, {"name": "b", "percent": 50}], "parts.name"),
            ([{"name": "a", "percent": True}, {"name": "b", "percent": 99}], "percent"),
        ):
            self.recipe("Split", parts=parts)
            self.assertEqual(self.failed(self.run_here(), "BadField")["values"], {"field": field})


class Converting(WithTask):
    def converted(self, form: str, columns: list[str] | None = None) -> bytes:
        self.recipe("Convert", format=form, columns=columns)
        ran = self.run_here()
        self.done(ran)
        (line,) = ran.of("output")
        return (self.root / line["path"]).read_bytes()

    def test_formulas_are_text_in_csv_and_numbers_stay(self) -> None:
        hostile = ["=1+1", "+cmd", "-2", "-x", "@sum", "\t=1", "＝1", "plain", 'with "quotes", and\nlines', "", "\u202e=1"]
        self.table([{"=a": text, "n": -n - 1} for n, text in enumerate(hostile)])
        told = self.converted("Csv")
        self.assertTrue(told.startswith(b"\xef\xbb\xbf'=a,n\r\n"))
        rows = list(csv.reader(io.StringIO(told.decode("utf-8-sig"), newline="")))
        self.assertEqual([row[0] for row in rows[1:]], ["'=1+1", "'+cmd", "-2", "'-x", "'@sum", "'\t=1", "'＝1", *hostile[7:]])
        self.assertEqual([row[1] for row in rows[1:4]], ["-1", "-2", "-3"])

    def test_lines_of_json_have_the_chosen_columns_and_no_value_that_json_has_not(self) -> None:
        self.sql("SELECT 'NaN'::DOUBLE AS a, 9007199254740993 AS b, DATE '2026-01-02' AS c, 'x\u2028y' AS d, {'k': ['\\x01'::BLOB]} AS e, 1 AS f")
        told = self.converted("JsonLines", ["e", "d", "c", "b", "a"])
        line = told.decode().removesuffix("\n")
        self.assertEqual(list(json.loads(line).items()), [("e", {"k": ["\\x01"]}), ("d", "x\u2028y"), ("c", "2026-01-02"), ("b", "9007199254740993"), ("a", "nan")])

    def test_parquet_has_the_chosen_columns(self) -> None:
        self.table([{"a": 1, "b": "x", "c": [1]}])
        self.recipe("Convert", format="Parquet", columns=["c", "a"])
        ran = self.run_here()
        self.assertEqual(self.rows(ran, "data"), [([1], 1)])

    def test_columns_that_are_not_there_are_named(self) -> None:
        self.table([{"a": 1}])
        self.recipe("Convert", format="Parquet", columns=["b"])
        self.failed(self.run_here(), "NoSuchColumn")


class Headings(WithTask):
    def pairs(self) -> list[tuple]:
        self.recipe("QaPairs", rules="Headings")
        ran = self.run_here()
        self.done(ran)
        self.assertEqual(self.model.asked, [])
        return self.rows(ran, "qa", "question, answer, file, page, paragraph, row")

    def test_headings_ask_and_their_text_answers(self) -> None:
        text = "# Guide\n\nFirst words.\n\n## Install\nRun it.\n```\n# no heading\n```\n\nMore.\n\nSetext\n------\nUnder.\n\n### Why?\n\nBecause."
        self.documents(("a.md", "markdown", 1, text))
        self.assertEqual(
            self.pairs(),
            [
                ("Guide", "First words.", "a.md", 1, 1, None),
                ("Guide – Install", "Run it.\n```\n# no heading\n```\n\nMore.", "a.md", 1, 3, None),
                ("Guide – Setext", "Under.", "a.md", 1, 5, None),
                ("Why?", "Because.", "a.md", 1, 6, None),
            ],
        )

    def test_headings_in_chinese_and_japanese_and_over_pages(self) -> None:
        self.documents(
            ("a.pdf", "pdf", 1, "第一章 总则\n\n为了保护数据，制定本规定。"),
            ("a.pdf", "pdf", 2, "续上页的内容。\n\nどうやって始めますか？\n\nまずここを読みます。"),
        )
        self.assertEqual(
            [row[:5] for row in self.pairs()],
            [
                ("第一章 总则", "为了保护数据，制定本规定。\n\n续上页的内容。", "a.pdf", 1, 1),
                ("どうやって始めますか？", "まずここを読みます。", "a.pdf", 2, 2),
            ],
        )

    def test_tables_with_questions_and_answers_are_taken_as_they_are(self) -> None:
        self.table([{"Question": "Q1?", "Answer": "A1"}, {"Question": "", "Answer": "A2"}, {"Question": "Q3?", "Answer": "A3"}])
        self.assertEqual([row[:2] + row[5:] for row in self.pairs()], [("Q1?", "A1", 1), ("Q3?", "A3", 3)])

    def test_a_text_without_headings_makes_nothing(self) -> None:
        self.documents(("a.txt", "text", 1, "This is a sentence. And so is this.\n\nAnd this one, too."))
        self.recipe("QaPairs", rules="Headings")
        self.failed(self.run_here(), "NothingMade")


class Texts(unittest.TestCase):
    def test_sentences_are_all_of_the_text(self) -> None:
        for text in ("A b. C d! “E f?” G", "今天下雨。明天呢？「好。」他说。", "行く。帰る！はい", "e.g. this is one. Dr. x", "no end", "", "\n\n", "x" * 5_000):
            with self.subTest(text[:20]):
                self.assertEqual("".join(sentences(text)), text)
        self.assertEqual([one.strip() for one in sentences("他说：“走吧！”我们走。好")], ["他说：“走吧！”", "我们走。", "好"])
        self.assertEqual(len(list(sentences("It costs 3.5 euros, e.g. here. Next one."))), 2)

    def test_tokens_of_each_script(self) -> None:
        for text, count in {"": 0, "hello": 1, "internationalisation": 4, "今天下雨。": 5, "1234567": 3, "a, b": 3, "한국어": 3, "Ünïcödé": 2}.items():
            self.assertEqual(tokens(text), count, text)

    def test_pieces_of_a_sentence_keep_to_their_tokens_and_lose_nothing(self) -> None:
        for text in ("word " * 300, "字" * 300, "x" * 10_000, "1" * 10_000, "a1,字 " * 200):
            pieces = list(cut_to_tokens(text, 16))
            self.assertEqual("".join(pieces), text)
            self.assertTrue(all(tokens(piece) <= 16 for piece in pieces))

    def test_words_are_folded_and_ideographs_paired(self) -> None:
        self.assertEqual(list(words("Ｈｅｌｌｏ World 東京都 a")), ["hello", "world", "東京", "京都", "a"])

    def test_hostile_texts_take_no_longer_than_others(self) -> None:
        for text in ("\n " * 50_000, "。" * 100_000, "." * 100_000, " " * 100_000, '."' * 50_000, "a\n\n" * 30_000):
            list(paragraphs(text))
            # Of a pattern that goes back and forth, this would take hours.
            self.assertGreaterEqual(tokens(text), 0)
            self.assertEqual("".join(sentences(text)), text)
