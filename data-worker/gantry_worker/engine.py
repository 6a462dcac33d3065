"""DuckDB, closed: it loads nothing, reaches nothing outside, and keeps to a task's memory. Every other module asks it through here."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import duckdb
from duckdb.sqltypes import DuckDBPyType

from .limits import PARTS, TaskLimits
from .places import Places
from .problem import Problem, bad_field, too_much_memory


# DuckDB's own column of a Parquet file, which one of the file with this name would hide: what we write has none.
ROW_NUMBER = "file_row_number"


class Engine:
    """One connection of one task. `scratch` is where it may spill; without it, what does not fit is refused."""

    def __init__(self, limits: TaskLimits, places: Places, scratch: Path | None = None) -> None:
        self._limits = limits
        self._places = places
        self._connection = duckdb.connect(
            config={
                "threads": 1,
                "memory_limit": f"{limits.engine_mb}MiB",
                "temp_directory": "" if scratch is None else str(scratch),
                "max_temp_directory_size": "8GiB",
                "autoinstall_known_extensions": "false",
                "autoload_known_extensions": "false",
            }
        )
        # A row goes out when it is found, and waits for no megabyte of others.
        self.rows("SET streaming_buffer_size = '1KB'")

    def rows(self, sql: str) -> list[tuple]:
        """All of them: for answers whose size we know."""
        return self._connection.execute(sql).fetchall()

    def row(self, sql: str) -> tuple:
        return self.rows(sql)[0]

    def columns(self, source: str) -> list[tuple[str, DuckDBPyType]]:
        """Names and types of a query, without running it."""
        relation = self._connection.sql(source)
        return list(zip(relation.columns, relation.types, strict=True))

    def lock(self, files: list[Path]) -> None:
        """From here on, only these files can be read, nothing can be written, and no setting can be changed."""
        self.rows(f"SET allowed_paths = {literal([str(file) for file in files])}")
        self.rows("SET enable_external_access = false")
        self.rows("SET lock_configuration = true")
        # DuckDB 2 counts WITH x AS (INSERT …) SELECT among the SELECTs.
        self.rows("BEGIN TRANSACTION READ ONLY")

    def answer(self, statement: "str | duckdb.Statement", most: int, seconds: float) -> tuple[list, list[tuple]]:
        """Names with types, and the first rows. Raises a Problem with a sentence for whatever goes wrong."""
        clock = threading.Timer(seconds, self._connection.interrupt)
        clock.start()
        try:
            with self.problems(seconds):
                result = self._connection.execute(statement)
                names = [(name, str(kind)) for name, kind, *_ in result.description or []]
                return names, result.fetchmany(most)
        finally:
            clock.cancel()

    def stream(self, sql: str, seconds: float) -> Iterator[tuple]:
        """Rows as they are found."""
        clock = threading.Timer(max(0, seconds), self._connection.interrupt)
        clock.start()
        try:
            with self.problems(seconds):
                result = self._connection.execute(sql)
                while (row := result.fetchone()) is not None:
                    yield row
        finally:
            clock.cancel()
            self._connection.interrupt()

    @contextmanager
    def problems(self, seconds: float):
        """DuckDB's errors as Problems; where our folders are is nobody's business."""
        try:
            yield
        except duckdb.InterruptException as error:
            raise Problem("TooSlow", f"It takes longer than {seconds:g} seconds.", seconds=seconds) from error
        except (duckdb.OutOfMemoryException, MemoryError) as error:
            raise too_much_memory(self.memory_mb) from error
        except duckdb.PermissionException as error:
            raise Problem("NotAllowed", "A query reads its tables, and no file, address or setting.") from error
        except duckdb.TransactionException as error:
            raise Problem("NotOneSelect", "A query is one SELECT, which changes nothing.") from error
        except duckdb.Error as error:
            raise Problem("QueryFailed", self.sentence(error)) from error

    @contextmanager
    def progress(self, tell):
        """Tells the share of a statement that is done, while it runs."""
        is_over = threading.Event()

        def look() -> None:
            while not is_over.wait(1):
                tell(max(0.0, self._connection.query_progress()) / 100)

        watcher = threading.Thread(target=look, daemon=True)
        watcher.start()
        try:
            yield
        finally:
            is_over.set()
            watcher.join()

    def sentence(self, error: Exception) -> str:
        """The first lines of what DuckDB says."""
        text = str(error).replace(str(self._places.root) + "/", "").strip()
        return text.split("\n\nPossible solutions")[0][:1_000]

    @property
    def memory_mb(self) -> int:
        return self._limits.engine_mb

    @property
    def connection(self) -> duckdb.DuckDBPyConnection:
        return self._connection


def quoted(name: str) -> str:
    """As an identifier."""
    return '"' + name.replace('"', '""') + '"'


def row_hash(columns: list[str]) -> str:
    """Of a whole row, by naming its columns: a column called like the table would be taken for the row."""
    return f"hash({', '.join(map(quoted, columns))})"


def literal(value: object) -> str:
    """As a constant: text, numbers, booleans, and lists of them."""
    if isinstance(value, list):
        return "[" + ", ".join(map(literal, value)) + "]"
    if isinstance(value, str):
        return "'" + value.replace("'", "''") + "'"
    return str(value).lower() if isinstance(value, bool) else str(value)


def arguments(first: str, **named: object) -> str:
    """Of a table function."""
    return ", ".join([first, *(f"{name} = {literal(value)}" for name, value in named.items())])


def parquet(files: list[Path], **named: object) -> str:
    """A table over parts, whose rows stand in their order."""
    return f"read_parquet({arguments(literal([str(file) for file in files]), **named)})"


def parts_of(places: Places, value: object, field: str) -> list[Path]:
    """The parts that a request names for one table."""
    if not (isinstance(value, list) and 1 <= len(value) <= PARTS):
        raise bad_field(field, f"must be a list of 1 to {PARTS} paths of Parquet files")
    return [places.existing(path, ("in", "out"), field) for path in value]
