"""Every bound of the data worker, in one place. A value that a tenant can choose has its limit here."""

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

# Of what is written: a reader takes a row group as a whole. Rows and bytes end with the row, or the 2,048 rows, that reach them.
ROW_GROUP_BYTES = 4 * MIB
ROW_GROUP_ROWS = 20_000
# Of a table whose rows are looked up a few at a time: a group is read as a whole.
LOOKED_UP_GROUP_BYTES = MIB
# Of a column with its lists: what the gateway reads (`api/src/core/tables/limits.ts`).
ROW_GROUP_VALUES = 2_000_000
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
# What a call has used makes no room for so long: the caller's next one needs it.
GRACE_SECONDS = 60
# What nobody has used for so long goes by itself.
KEPT_SECONDS = 3_600
SWEEP_SECONDS = 60
# Of one call that keeps files: of the two tables of a difference.
KEPT_PATHS = 2 * PARTS
# Of a child that answers several requests: when it ends by itself.
LASTING_SECONDS = 120
LASTING_CPU_SECONDS = 300
LASTING_MB = 160
# A child says nothing longer: no answer within the bounds above is.
LINE_BYTES = 8 * MIB

# Of data-processing tasks (`task/`).
UNITS = 1_000_000
# Weight is in bytes of UTF-8: a run of paragraphs ends about so often, and at the latest at the second figure.
RUN_BYTES = 3 * KIB
RUN_BYTES_MOST = 8 * KIB
PARAGRAPH_CHARS = 2_000
# What one request to a model may ask about.
ASKED_BYTES = 64 * KIB
PART_UNITS = 64
PART_TEXT_BYTES = 512 * KIB
BATCH = 32
CALLS_AT_ONCE = 16
TRIES = 8
CALL_SECONDS = 660
MODEL_ANSWER_BYTES = 8 * MIB
DIMENSIONS = 8_192
JOURNAL_LINE_BYTES = 16 * KIB
LABEL_CHARS = 80
SENTENCE_BYTES = 1_024
PROMPT_CHARS = 4_000
QUESTION_CHARS = 4_000
ANSWER_CHARS = 20_000
ENTITY_CHARS = 200
DESCRIPTION_CHARS = 2_000
ENTITIES_PER_UNIT = 100

# Of previews, and of search in a knowledge base.
PREVIEW_ROWS = 50
PREVIEW_PROMPTS = 5
PREVIEW_SECONDS = 20
PREVIEW_BYTES = 16 * MIB
NEAREST = 100
CHUNKS = 1_000_000

# Of previews of fine-tuning (`tune/`). A row may take the trainer as long, and be as large for it (`trainer/gantry_trainer/limits.py`).
DATASETS = 8
MESSAGES = 1_000
RENDERED_CHARS = 4 * MIB
ROW_SECONDS = 10
TOKENIZER_BYTES = 64 * MIB
TEMPLATE_CHARS = MIB
TEMPLATE_ERROR_CHARS = 300
EXAMPLES = 5
EXAMPLE_TOKENS = 1_024
# All rows up to the first figure, of larger tables as many blocks as it has of the second.
SAMPLED_ROWS = 1_024
SAMPLED_BLOCK = 64
# Of all datasets together, as text.
SAMPLED_BYTES = 16 * MIB
SAMPLED_SECONDS = 10
TUNE_SECONDS = 40


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
