"""A small knowledge base of public facts in three languages, with questions; and a large one of nothing, to measure."""

import hashlib
import json
import sqlite3
from pathlib import Path

import duckdb
import numpy

from gantry_worker.task.outputs import WORDS
from gantry_worker.task.texts import words

_DIMENSIONS = 32

DOCUMENTS = (
    "Mount Fuji is the highest mountain of Japan, with 3,776 metres.",
    "The Nile flows through eleven countries and ends in the Mediterranean Sea.",
    "Water boils at 100 degrees Celsius at the pressure of sea level.",
    "The speed of light in a vacuum is 299,792,458 metres per second.",
    "Marie Curie received the Nobel prizes of physics and of chemistry.",
    "The Great Wall of China was built over many centuries.",
    "Johann Gutenberg printed a Bible with movable type in Mainz about 1455.",
    "The heart of a human being has four chambers.",
    "RFC 2616 describes HTTP/1.1, and RFC 9110 replaced it.",
    "The element with the symbol Hg is mercury.",
    "Alexander Fleming discovered penicillin in 1928.",
    "The Amazon carries more water than any other river.",
    "Neil Armstrong was the first person who walked on the moon, in July 1969.",
    "ISO 8601 says how dates are written.",
    "The Sahara is the largest hot desert of the earth.",
    "Photosynthesis turns carbon dioxide and water into sugar and oxygen.",
    "长江是中国最长的河流，长约6300公里。",
    "北京是中华人民共和国的首都。",
    "故宫建于明朝永乐年间。",
    "大熊猫主要以竹子为食。",
    "琵琶湖は滋賀県にある日本で最大の湖です。",
    "東京は日本の首都で、世界でも人口の多い都市です。",
    "源氏物語は紫式部が書いた長編の物語です。",
    "新幹線は1964年に東京と新大阪の間で開業しました。",
    *(f"Station {n} measured {n * 7 % 40} degrees on day {n}." for n in range(200)),
)

# A question, and the document that answers it: some share its words, some only what they mean, some only a name.
QUESTIONS = (
    ("Which peak in Nippon is the tallest?", 0),
    ("Mount Fuji", 0),
    ("Where does the longest stream of Africa reach the ocean?", 1),
    ("When does H2O turn to steam?", 2),
    ("How fast do photons travel in empty space?", 3),
    ("299,792,458", 3),
    ("Which woman was honoured by Stockholm for two sciences?", 4),
    ("Who invented the press with letters that move?", 6),
    ("RFC 9110", 8),
    ("Hg", 9),
    ("Which antibiotic was found by a Scottish doctor?", 10),
    ("penicillin 1928", 10),
    ("Which astronaut set foot on the lunar surface?", 12),
    ("ISO 8601", 13),
    ("What is the biggest dry region?", 14),
    ("How do plants make food out of sunlight?", 15),
    ("长江有多长？", 16),
    ("扬子江的长度", 16),
    ("中国的政府在哪个城市？", 17),
    ("故宫是什么时候建的", 18),
    ("pandas eat what?", 19),
    ("琵琶湖はどこですか", 20),
    ("光源氏の作者", 22),
    ("bullet train", 23),
    ("Station 117", 24 + 117),
)

# Words of one meaning, across languages: what a model of vectors knows, and full text does not.
_CONCEPTS = (
    "mount mountain peak tallest highest fuji",
    "japan nippon 日本",
    "nile stream river flows longest amazon 河流 长江 扬子江 长度",
    "africa mediterranean countries",
    "ocean sea",
    "water h2o boils steam turn celsius",
    "light photons speed fast travel",
    "vacuum empty space",
    "curie woman chemistry physics sciences",
    "nobel honoured stockholm prizes",
    "gutenberg printed press type letters invented movable move",
    "fleming scottish doctor antibiotic penicillin discovered found",
    "armstrong astronaut walked foot",
    "moon lunar",
    "sahara desert dry region largest biggest",
    "photosynthesis plants sunlight food sugar",
    "首都 政府 城市 北京",
    "中国 china",
    "大熊猫 竹子 pandas eat",
    "新幹線 bullet train",
    "源氏物語 光源氏 紫式部 作者",
    "station measured degrees day",
)


def _direction(name: str) -> numpy.ndarray:
    seed = int.from_bytes(hashlib.sha256(name.encode()).digest()[:8], "little")
    return numpy.random.default_rng(seed).standard_normal(_DIMENSIONS)


def concept_vector(text: str) -> list[float]:
    """The sum of what is meant, and a little noise: names and numbers that no concept has mean nothing to it."""
    told = text.casefold()
    latin = set(words(text))
    found = 0.3 * _direction(text)
    for concept in _CONCEPTS:
        for word in concept.split():
            if word in latin or (not word.isascii() and word in told):
                found = found + _direction(concept)
                break
    return (found / numpy.linalg.norm(found)).tolist()


def base_of(root: Path, documents: tuple[str, ...]) -> None:
    """in/base/: chunks.parquet, vectors.npy, words.sqlite, as a task makes them."""
    folder = root / "in" / "base"
    folder.mkdir(parents=True)
    rows = [
        {"chunk": n, "text": text, "tokens": 9, "file": "facts.md", "page": 1, "paragraph_first": n + 1, "paragraph_last": n + 1, "row": None, "unit": "0"}
        for n, text in enumerate(documents)
    ]
    (folder / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    kinds = "columns = {chunk: 'BIGINT', text: 'VARCHAR', tokens: 'BIGINT', file: 'VARCHAR', page: 'BIGINT', paragraph_first: 'BIGINT', paragraph_last: 'BIGINT', row: 'BIGINT', unit: 'VARCHAR'}"
    duckdb.sql(f"COPY (FROM read_json('{folder}/rows.jsonl', format = 'newline_delimited', {kinds})) TO '{folder}/chunks.parquet' (FORMAT parquet)")
    numpy.save(folder / "vectors.npy", numpy.array([concept_vector(text) for text in documents], dtype="<f4"))
    words_of(folder / "words.sqlite", documents)


def words_of(path: Path, documents) -> None:
    database = sqlite3.connect(path)
    database.execute(WORDS)
    database.executemany("INSERT INTO words (rowid, text) VALUES (?, ?)", ((n, " ".join(words(text))) for n, text in enumerate(documents)))
    database.execute("INSERT INTO words (words) VALUES ('optimize')")
    database.commit()
    database.close()
