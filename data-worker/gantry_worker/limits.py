"""Every bound of the data server, in one place. A value that a tenant can choose has its limit here."""

from dataclasses import dataclass

KIB = 1024
MIB = 1024 * KIB
GIB = 1024 * MIB

# Of tables.
ROW_BYTES = MIB
COLUMNS = 1_000
COLUMN_NAME_CHARS = 256
NESTED_LEVELS = 8
INPUT_BYTES = 20 * GIB
INPUTS = 20_000
REJECTS_KEPT = 100_000
REJECT_TEXT_CHARS = 2_000

# Of what is written: a reader takes a row group as a whole.
ROW_GROUP_BYTES = 4 * MIB
ROW_GROUP_ROWS = 20_000
PART_BYTES = 512 * 1000 * 1000

# Of archives: bytes that come out, counted while they do. What they say of themselves counts for nothing.
EXPANSION = 50
# Small files may well be repetitive.
EXPANSION_FREE = 16 * MIB
ARCHIVE_MEMBERS = 20_000

# Of documents.
DOCUMENT_PAGES = 2_000
DOCUMENT_SECONDS = 60
TEXT_PIECE_BYTES = 256 * KIB

# Of statistics.
STATISTICS_BYTES = 256 * KIB
FILES_TOLD = 1_000
BINS = 20
TOP_VALUES = 20
CELL_IN_STATISTICS = 100
TYPE_CHARS = 200
LANGUAGE_SAMPLE = 10_000

# Of answers.
ROWS_ANSWERED = 100
CELL_CHARS = 4_096
# Of the rows of an answer, and of the files among the facts, as JSON.
ANSWER_BYTES = 4 * MIB
FILES_TOLD_BYTES = MIB
SQL_CHARS = 20_000
QUERY_SECONDS = 5
SEARCH_SECONDS = 10
TABLES = 20
FILTERS = 20
# Rows that pass a filter which can be reached, one page after the other.
FOUND = 100_000
PARTS = 1_000

# Of calls.
CONNECTIONS = 32
BODY_BYTES = 4 * MIB
PIECE_BYTES = 64 * MIB
IDLE_SECONDS = 60
# Until a connection has shown the token.
STRANGER_SECONDS = 10
# A child says nothing longer: no answer within the bounds above is.
LINE_BYTES = 8 * MIB


@dataclass(frozen=True)
class TaskLimits:
    """What one task may take. DuckDB keeps to `engine_mb`; the kernel enforces the rest."""

    # Of the clock, and of the processor.
    seconds: int
    cpu_seconds: int
    # Of the largest file that it may write. 0: it can write none.
    file_bytes: int
    engine_mb: int = 512

    @property
    def data_mb(self) -> int:
        """Everything that it allocates: DuckDB's buffers, and what it does not count among them."""
        return self.engine_mb + 384
