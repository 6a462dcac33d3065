// Every bound of a table's reader. What writes our tables keeps far below each; whoever exceeds one does not mean well.
const MIB = 1024 * 1024;

export const PAGE_ROWS = 100;
/** Of a cell in a page, and of a whole one; the words are those of data-worker/README.md. */
export const CELL_CHARS = 4_096;
export const WHOLE_CHARS = MIB;
/** Of the rows of a page, as JSON. */
export const ANSWER_BYTES = 4 * MIB;
export const COLUMN_NAME_CHARS = 256;
export const TYPE_CHARS = 200;

/** Of a part's footer, and of all that are kept. */
export const FOOTER_BYTES = 64 * MIB;
export const KEPT_BYTES = 64 * MIB;
/** Leaves of nested columns count as columns. */
export const COLUMNS = 1_000;
export const LEVELS = 32;
export const ROW_GROUPS = 100_000;

/** Of a row group as it is stored, without the columns that nobody asked for. */
export const GROUP_BYTES = 64 * MIB;
/** Of a column of a row group once it is decompressed. */
export const RAW_BYTES = 128 * MIB;
/**
 * Of a column of a row group, those of its lists included. The limit of a thread's heap ends the thread, but a single array of more
 * than 32 MB beyond that limit ends the whole process.
 */
export const VALUES = 2_000_000;
/** Of a cell, or of a row of a file, as text. */
export const TEXT_CHARS = 32 * MIB;
/** Of a piece of a file that is handed on. */
export const PIECE_CHARS = 4 * MIB;
