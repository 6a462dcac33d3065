// The request of row H2 to its engine, as JSON in its only message: known to the caller and to the engine.

export interface Asked {
  readonly number: number;
  readonly tokens: number;
  /** The client leaves after so many pieces. */
  readonly leavesAfter?: number | undefined;
}

/** As an engine would count such a message. */
export const PROMPT_TOKENS = 24;
