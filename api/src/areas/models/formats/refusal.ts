// A file that cannot be taken, and why. The sentence is the contract's; `detail` says what is broken in the terms of the format.
export interface Refusal {
  readonly refused: 'model_header' | 'model_pickle';
  readonly detail: string;
}

/** Thrown within a parser, and never leaves it. */
export class Broken extends Error {}

/** The header is longer than what was read of the file. */
export class NeedsMore extends Error {
  readonly bytes: number;

  constructor(bytes: number) {
    super();
    this.bytes = bytes;
  }
}

export interface TensorFacts {
  /** How many numbers. */
  readonly parameters: number;
  readonly bytes: number;
  /** Bytes by type, as the format names it. */
  readonly types: ReadonlyMap<string, number>;
}

/** Facts, a refusal, or how many bytes of the file's beginning are needed to say. */
export type Parsed<Facts> = Facts | Refusal | { readonly needs: number };

/** Runs a parser, whose only other ends are the two above. */
export function parsedBy<Facts>(parse: () => Facts): Parsed<Facts> {
  try {
    return parse();
  } catch (error) {
    if (error instanceof NeedsMore) return { needs: error.bytes };
    if (error instanceof Broken) return { refused: 'model_header', detail: error.message };
    throw error;
  }
}
