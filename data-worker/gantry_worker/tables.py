"""Tables into Parquet parts. DuckDB's own reader is fast and refuses a file for one bad row; then the file goes line by line."""

import csv
import io
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import duckdb
from duckdb.sqltypes import DuckDBPyType

from .engine import ROW_NUMBER, Engine, arguments, literal, parquet, quoted
from .limits import (
    COLUMN_NAME_CHARS,
    COLUMNS,
    KIB,
    MIB,
    NESTED_LEVELS,
    PART_BYTES,
    ROW_BYTES,
    ROW_GROUP_BYTES,
    ROW_GROUP_ROWS,
    ROW_GROUP_VALUES,
)
from .problem import Problem, too_much_memory
from .sieve import Rejects, Sieve, clean, has_long_line, too_wide

_QUICK_SAMPLE = 20_480
_WHOLE = -1

# What Parquet or its readers have no exact form for. Nested ones are JSON.
_KEPT_AS = {
    **dict.fromkeys(("hugeint", "uhugeint", "interval", "bit", "enum", "time with time zone", "bignum"), "VARCHAR"),
    **dict.fromkeys(("timestamp_s", "timestamp_ms", "timestamp_ns"), "TIMESTAMP"),
    **dict.fromkeys(("union", "variant"), "JSON"),
    "null": "VARCHAR",
}


@dataclass
class Source:
    """A file as the reader finds it: UTF-8 where it is text. `name` is the tenant's."""

    path: Path
    name: str
    kind: str
    bytes: int
    encoding: str = ""
    problem: dict | None = None


@dataclass
class Written:
    """Parts in their order."""

    files: list[Path] = field(default_factory=list)
    # `quick`: DuckDB's reader took it; `lines`: it went line by line.
    way: str = "quick"


def write_table(engine: Engine, sources: list[Source], to: Path, scratch: Path, rejects: Rejects, tell) -> Written:
    """All sources are of one kind. Raises a Problem where nothing can be read at all."""
    kind = sources[0].kind
    raw = sum(source.bytes for source in sources)
    if kind == "parquet":
        return _write_parquet(engine, sources, to, rejects)
    try:
        # DuckDB takes twice what it is told is the most.
        if kind != "json" and any(has_long_line(source.path) for source in sources):
            raise duckdb.InvalidInputException("a line is too long")
        return Written(write_parts(engine, _QUICK[kind](sources, _QUICK_SAMPLE), to, tell, raw))
    except duckdb.Error:
        # What is wrong with which line, the slow way finds out.
        tell({"step": "lines", "done": 0, "of": raw})
    sieved = _sieved(sources, scratch, rejects, lambda done: tell({"step": "lines", "done": done, "of": raw}))
    if not sieved:
        raise Problem("NoRows", f"No row can be read: {rejects.first or 'there is none'}.", reason=rejects.first)
    read = _QUICK["jsonl" if kind == "json" else kind]
    try:
        files = write_parts(engine, read(sieved, _WHOLE), to, tell, raw)
    except duckdb.Error as error:
        raise _broken(engine, error) from error
    return Written(files, "lines")


def _broken(engine: Engine, error: duckdb.Error) -> Problem:
    if isinstance(error, duckdb.OutOfMemoryException):
        return too_much_memory(engine.memory_mb)
    return Problem("TableBroken", f"The table cannot be read: {engine.sentence(error)}")


def _sieved(sources: list[Source], scratch: Path, rejects: Rejects, tell: Callable[[int], None]) -> list[Source]:
    sieve = Sieve(rejects, tell)
    sound = []
    for number, source in enumerate(sources):
        to = scratch / f"sieved-{number}"
        if source.kind == "json":
            sieve.json_values(source.path, source.name, to)
        elif source.kind == "jsonl":
            sieve.json_lines(source.path, source.name, to)
        else:
            sieve.records(source.path, source.name, delimiter_of(source), to)
        if to.stat().st_size > 0:
            sound.append(Source(to, source.name, source.kind, to.stat().st_size))
    return sound


def _from_json(form: str) -> Callable[[list[Source], int], str]:
    def source(sources: list[Source], sample: int) -> str:
        forms = {form} if form == "newline_delimited" else {_form_of(source) for source in sources}
        paths = literal([str(source.path) for source in sources])
        # One form for all: files of several go value by value.
        options = {
            "format": forms.pop() if len(forms) == 1 else "array",
            "maximum_object_size": ROW_BYTES,
            # A value with more levels is kept as JSON.
            "maximum_depth": NESTED_LEVELS + 1,
            "records": True,
            "sample_size": sample,
            "union_by_name": len(sources) > 1,
        }
        return f"read_json({arguments(paths, **options)})"

    return source


def _form_of(source: Source) -> str:
    return "array" if _head(source).lstrip().startswith("[") else "unstructured"


def _from_csv(sources: list[Source], sample: int) -> str:
    rows = [_first_row(source) for source in sources]
    if len(rows[0]) > COLUMNS:
        raise too_wide(len(rows[0]))
    options = {
        "delim": delimiter_of(sources[0]),
        "quote": '"',
        "escape": '"',
        "comment": "",
        "skip": 0,
        "header": has_header(rows[0]),
        "max_line_size": ROW_BYTES,
        "sample_size": sample,
        "union_by_name": len(sources) > 1,
    }
    return f"read_csv({arguments(literal([str(source.path) for source in sources]), **options)})"


_QUICK: dict[str, Callable[[list[Source], int], str]] = {
    "jsonl": _from_json("newline_delimited"),
    "json": _from_json("array"),
    "csv": _from_csv,
    "tsv": _from_csv,
}


def delimiter_of(source: Source) -> str:
    """The one that cuts the first line into most pieces."""
    if source.kind == "tsv":
        return "\t"
    first = _head(source).partition("\n")[0]
    return max(",;|\t", key=lambda sign: (first.count(sign), sign == ","))


def has_header(row: list[str]) -> bool:
    """Names are distinct, and no numbers."""
    return len(set(row)) == len(row) and not any(_is_number(cell) or not cell.strip() for cell in row)


def _is_number(cell: str) -> bool:
    try:
        float(cell)
        return True
    except ValueError:
        return False


def _first_row(source: Source) -> list[str]:
    reader = csv.reader(io.StringIO(_head(source), newline=""), delimiter=delimiter_of(source))
    return next(reader, [])


def _head(source: Source) -> str:
    with source.path.open("rb") as file:
        return file.read(ROW_BYTES).decode("utf-8", "replace").removeprefix("\ufeff")


def _write_parquet(engine: Engine, sources: list[Source], to: Path, rejects: Rejects) -> Written:
    """Anew, because row groups of others may be too large to be read; rows beyond the limit are refused."""
    paths = [source.path for source in sources]
    try:
        source = parquet(paths, union_by_name=len(paths) > 1)
        files = write_parts(engine, source, to, where=f"{_size_of(engine, source)} <= {ROW_BYTES}")
        if _rows_of(engine, files) < _rows_of(engine, paths):
            for source in sources:
                for line in _long_rows(engine, source.path):
                    rejects.add(source.name, line, "RowTooLong", b"")
    except duckdb.Error as error:
        raise _broken(engine, error) from error
    return Written(files)


def _size_of(engine: Engine, source: str) -> str:
    """Of the long values of a row, as SQL."""
    long = [name for name, kind in engine.columns(f"FROM {source}") if not _is_short(kind)]
    return " + ".join(f"coalesce(strlen({quoted(name)}::VARCHAR), 0)" for name in long) or "0"


def _long_rows(engine: Engine, file: Path) -> list[int]:
    """Numbers of the rows beyond the limit. We count, because columns of the file may have the names that DuckDB's own have."""
    source = parquet([file])
    counted = f"SELECT row_number() OVER () AS line, {_size_of(engine, source)} AS size FROM {source}"
    return [line for (line,) in engine.rows(f"SELECT line FROM ({counted}) WHERE size > {ROW_BYTES}")]


def _is_short(kind: object) -> bool:
    return kind.id not in ("varchar", "blob", "list", "struct", "map", "array", "union", "variant", "bit", "bignum")


def _rows_of(engine: Engine, files: list[Path]) -> int:
    return engine.row(f"SELECT coalesce(sum(num_rows), 0) FROM parquet_file_metadata({literal([str(file) for file in files])})")[0]


def write_parts(
    engine: Engine,
    source: str,
    to: Path,
    tell=lambda progress: None,
    raw: int = 0,
    where: str = "true",
    name: str = "data",
    group_bytes: int = ROW_GROUP_BYTES,
) -> list[Path]:
    """Parts of sound sizes, named in their order."""
    columns = engine.columns(f"FROM {source}")
    _check_columns(columns)
    names = {column.lower() for column, _ in columns}
    selected = ", ".join(_stored(column, kind, _free_name(column, names)) for column, kind in columns)
    selection = f"SELECT {selected} FROM {source} WHERE {where}"
    with engine.progress(lambda share: tell({"step": "writing", "done": int(share * raw), "of": raw})):
        files = _parts(engine, selection, to, name, group_bytes)
        # Of short values in long lists, such as booleans, fewer bytes are too many to be read at once.
        if any(_has_lists(kind) for _, kind in columns) and _values_of(engine, files) > ROW_GROUP_VALUES:
            files = _parts(engine, selection, to, name, group_bytes // 8)
    return files


def _parts(engine: Engine, selection: str, to: Path, name: str, group_bytes: int) -> list[Path]:
    for old in to.glob(f"{name}*"):
        old.unlink()
    engine.rows(
        f"COPY ({selection}) TO {literal(str(to))} (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE {ROW_GROUP_ROWS}, "
        f"ROW_GROUP_SIZE_BYTES {group_bytes}, FILE_SIZE_BYTES {PART_BYTES}, OVERWRITE_OR_IGNORE true, "
        f"FILENAME_PATTERN '{name}_{{i}}')"
    )
    written = sorted(to.glob(f"{name}_*.parquet"), key=lambda path: int(path.stem.rpartition("_")[2]))
    return [path.rename(to / f"{name}-{number:05}.parquet") for number, path in enumerate(written)]


def _values_of(engine: Engine, files: list[Path]) -> int:
    """The most that a column has in a row group."""
    return engine.row(f"SELECT coalesce(max(num_values), 0) FROM parquet_metadata({literal([str(file) for file in files])})")[0]


def write_rows(engine: Engine, lines: Path, columns: dict[str, str], to: Path, name: str) -> list[Path]:
    """JSON Lines of our own making."""
    known = ", ".join(f"{literal(column)}: {literal(kind)}" for column, kind in columns.items())
    options = arguments(literal(str(lines)), format="newline_delimited", maximum_object_size=8 * MIB)
    return write_parts(engine, f"read_json({options}, columns = {{{known}}})", to, name=name)


def _check_columns(columns: list[tuple[str, DuckDBPyType]]) -> None:
    leaves = sum(_leaves(kind) for _, kind in columns)
    if len(columns) > COLUMNS or leaves > COLUMNS:
        raise too_wide(max(len(columns), leaves))
    long = next((name for name, _ in columns if len(name) > COLUMN_NAME_CHARS), None)
    if long is not None:
        told = f"The column {long[:40]}… has a name of {len(long)} characters: at most {COLUMN_NAME_CHARS} are read."
        raise Problem("ColumnNameTooLong", told, characters=len(long), most=COLUMN_NAME_CHARS)


_NESTED = ("list", "struct", "map", "array", "union")


def _inner(kind: DuckDBPyType) -> list[DuckDBPyType]:
    return [child for _, child in kind.children if isinstance(child, DuckDBPyType)] if kind.id in _NESTED else []


def _leaves(kind: DuckDBPyType) -> int:
    return max(1, sum(map(_leaves, _inner(kind))))


def _has_lists(kind: DuckDBPyType) -> bool:
    return kind.id in ("list", "map", "array") or any(map(_has_lists, _inner(kind)))


def _depth(kind: DuckDBPyType) -> int:
    return 1 + max((_depth(child) for child in _inner(kind)), default=-1)


def _free_name(name: str, names: set[str]) -> str:
    """Another name for a column that would hide the one by which a search numbers rows."""
    if name.lower() == ROW_NUMBER:
        while name.lower() in names:
            name += "_"
    return name


def _stored(name: str, kind: DuckDBPyType, to: str) -> str:
    wanted = _KEPT_AS.get(str(kind.id))
    if wanted == "JSON" or _depth(kind) > NESTED_LEVELS:
        return f"to_json({quoted(name)})::VARCHAR AS {quoted(to)}"
    return f"{quoted(name)}{f'::{wanted}' if wanted else ''} AS {quoted(to)}"


def recoded(source: Source, to: Path) -> Source:
    """As UTF-8. Bytes that are no characters of its encoding become question marks."""
    with source.path.open(encoding=source.encoding, errors="replace", newline="") as text, to.open("wb") as out:
        while piece := text.read(256 * KIB):
            out.write(clean(piece).encode())
    return Source(to, source.name, source.kind, to.stat().st_size, source.encoding)
