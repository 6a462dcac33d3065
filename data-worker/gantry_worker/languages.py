"""In which languages a table is written, by a sample of its rows."""

from collections import Counter
from pathlib import Path

from .engine import ROW_NUMBER, Engine, literal, parquet, quoted
from .limits import LANGUAGE_SAMPLE

_COLUMNS = 8
# Of a row, shared by its columns: more says nothing new, and takes time.
_CHARS = 240
# The sample is runs of rows, spread over the table: DuckDB unpacks no row group in which none of them lies.
_RUNS = 40
# A shorter mean is no text: a name, a code, a class.
_LEAST_MEAN_CHARS = 12
_LEAST_CONFIDENCE = 0.3
_MOST_TOLD = 20


def languages(engine: Engine, files: list[Path], columns: list[dict]) -> dict[str, int]:
    """Rows by language (ISO 639), most first; `und` where none is likely. Empty where there is no text."""
    looked = [_text(column) for column in columns if _is_text(column)][:_COLUMNS]
    if not looked:
        return {}
    texts = f"concat_ws(' ', {', '.join(f'left({text}, {_CHARS // len(looked)})' for text in looked)})"
    numbers = [engine.row(f"SELECT num_rows FROM parquet_file_metadata({literal(str(file))})")[0] for file in files]
    some = [
        f"SELECT {texts} FROM {parquet([file], file_row_number=True)} WHERE {where}"
        for file, where in zip(files, _sampled(numbers), strict=True)
        if where
    ]
    rows = engine.rows(" UNION ALL ".join(some)) if some else []
    known = Languages()
    counts = Counter(known.of(text) for (text,) in rows)
    return dict(counts.most_common(_MOST_TOLD))


class Languages:
    """Tells the language of a text (ISO 639), by its beginning; `und` where none is likely."""

    def __init__(self) -> None:
        # Half a second, which a table without text does not take.
        from py3langid.langid import MODEL_FILE, LanguageIdentifier

        self._identifier = LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)

    def of(self, text: str) -> str:
        told = text[:_CHARS]
        language, confidence = self._identifier.classify(told.encode("utf-8", "replace")) if told.strip() else ("und", 1.0)
        return language if confidence >= _LEAST_CONFIDENCE and language != "zxx" else "und"


def _sampled(numbers: list[int]) -> list[str]:
    """For files of so many rows, which ones are looked at, as SQL. A run that would cross the end of a file is shorter."""
    total = sum(numbers)
    if total <= LANGUAGE_SAMPLE:
        return ["true" if rows else "" for rows in numbers]
    starts = [total * run // _RUNS for run in range(_RUNS)]
    found, first = [], 0
    for rows in numbers:
        runs = [start - first for start in starts if first <= start < first + rows]
        length = LANGUAGE_SAMPLE // _RUNS
        found.append(" OR ".join(f"{ROW_NUMBER} BETWEEN {start} AND {start + length - 1}" for start in runs))
        first += rows
    return found


def _is_text(column: dict) -> bool:
    if column["type"] == "VARCHAR":
        return (column.get("meanLength") or 0) >= _LEAST_MEAN_CHARS
    return "VARCHAR" in column["type"] and ("longest" in column or column["type"].startswith("STRUCT"))


def _text(column: dict) -> str:
    """Of nested values the texts, and not the names of their fields."""
    name = quoted(column["name"])
    return name if column["type"] == "VARCHAR" else f"""regexp_replace(to_json({name})::VARCHAR, '"\\w+":', '', 'g')"""
