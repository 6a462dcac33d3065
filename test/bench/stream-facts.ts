// The stream of row H1's engine: known to it and to its listeners.

/** Until the first piece, as if a prompt were read. */
export const FIRST_MS = 40;
export const NEXT_MS = 10;
export const PIECES = 16;
