"""In which languages a table is written, by a sample of its rows."""

from collections import Counter
from pathlib import Path

from .engine import Engine, parquet, quoted
from .limits import LANGUAGE_SAMPLE

_COLUMNS = 8
_CHARS = 400
# A shorter mean is no text: a name, a code, a class.
_LEAST_MEAN_CHARS = 12
_LEAST_CONFIDENCE = 0.3
_MOST_TOLD = 20


def languages(engine: Engine, files: list[Path], columns: list[dict]) -> dict[str, int]:
    """Rows by language (ISO 639), most first; `und` where none is likely. Empty where there is no text."""
    looked = [_text(column) for column in columns if _is_text(column)][:_COLUMNS]
    if not looked:
        return {}
    texts = ", ".join(f"left({text}, {_CHARS})" for text in looked)
    rows = engine.rows(
        f"SELECT concat_ws(' ', {texts}) FROM {parquet(files)} USING SAMPLE reservoir({LANGUAGE_SAMPLE} ROWS) REPEATABLE (1)"
    )
    # Half a second, which a table without text does not take.
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    identifier = LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
    counts = Counter(_language(identifier, text) for (text,) in rows)
    return dict(counts.most_common(_MOST_TOLD))


def _is_text(column: dict) -> bool:
    if column["type"] == "VARCHAR":
        return (column.get("meanLength") or 0) >= _LEAST_MEAN_CHARS
    return "VARCHAR" in column["type"] and ("longest" in column or column["type"].startswith("STRUCT"))


def _text(column: dict) -> str:
    """Of nested values the texts, and not the names of their fields."""
    name = quoted(column["name"])
    return name if column["type"] == "VARCHAR" else f"""regexp_replace(to_json({name})::VARCHAR, '"\\w+":', '', 'g')"""


def _language(identifier, text: str) -> str:
    language, confidence = identifier.classify(text.encode("utf-8", "replace")) if text.strip() else ("und", 1.0)
    return language if confidence >= _LEAST_CONFIDENCE and language != "zxx" else "und"
