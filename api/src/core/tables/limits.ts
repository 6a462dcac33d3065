// Every bound of a table's reader. What writes our tables keeps far below each; whoever exceeds one does not mean well.
const MIB = 1024 * 1024;

export const PAGE_ROWS = 100;
/** Limits of a cell in a page, and of a whole cell; the terms are those of data-worker/README.md. */
export const CELL_CHARS = 4_096;
export const WHOLE_CHARS = MIB;
/** The limit of a page's rows, as JSON. */
export const ANSWER_BYTES = 4 * MIB;
export const COLUMN_NAME_CHARS = 256;
export const TYPE_CHARS = 200;

/** Limits of a part's footer, and of all that are kept. */
export const FOOTER_BYTES = 64 * MIB;
export const KEPT_BYTES = 64 * MIB;
/** Leaves of nested columns count as columns. */
export const COLUMNS = 1_000;
export const LEVELS = 32;
export const ROW_GROUPS = 100_000;

/** The limit of a row group as stored, counting only the requested columns. */
export const GROUP_BYTES = 64 * MIB;
/** The limit of a column of a row group once it is decompressed. */
export const RAW_BYTES = 128 * MIB;
/**
 * The most values of a column of a row group, including those of its lists. The limit of a thread's heap ends the thread, but a single
 * array of more than 32 MB beyond that limit ends the whole process.
 */
export const VALUES = 2_000_000;
/**
 * What a download keeps of a row group while its client reads, as long as READS leaves room for it. The worker writes far less; what is
 * not kept is fetched again for each piece.
 */
export const KEPT_GROUP_BYTES = 8 * MIB;
/**
 * Of a text or of bytes that is written whole, and of a cell, or a row of a file, as text. A row of ours has at most 1 MiB. In JSON a
 * byte may take six characters of two bytes each, and such a text is one allocation of a thread's heap: see VALUES.
 */
export const VALUE_BYTES = 2 * MIB;
export const TEXT_CHARS = 6 * MIB;
/**
 * Row groups that are fetched and decoded at once, and those that wait. Each has up to GROUP_BYTES: together, and with what downloads keep,
 * they are what tables take of the gateway's memory, besides footers that are kept and one piece of each download. Organisations take
 * turns, one row group each.
 */
export const READS = { atOnce: 4, ofOneLane: 1, mostOfLane: 64, most: 512 } as const;
/** Of a piece of a file that is handed on; a row more may be in it. Each download holds one until its client has taken it. */
export const PIECE_CHARS = 4 * MIB;
