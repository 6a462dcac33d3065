// Someone edits a row and it is refetched meanwhile: what is typed stays, and so does the row that it began with, whose version makes
// the conflict appear when it is saved. While nothing is typed, the newest row is edited.
import { useState } from 'react';

export function useBegunRow<Row extends object>(newest: Row) {
  const [begun, setBegun] = useState<Row>();
  return {
    row: begun ?? newest,
    /** Whether something is typed. */
    onTyped: (isTyped: boolean) => setBegun(isTyped ? (row) => row ?? newest : undefined),
    onSaved: () => setBegun(undefined),
  };
}

/** Rows that may be edited have one; their type does not say it. */
export const versionOf = (row: object): string | undefined => (row as { version?: string }).version;
