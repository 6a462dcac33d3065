// Moves or copies entries one after the other, and decides about names that exist already.
import type { FileEntry } from '@gantry/contract/areas/instances/files.ts';
import { ApiProblem, sentenceOf } from '@gantry/ui/client/api-problem.ts';
import { joined } from './file-path.ts';

/** The rule for a name that exists in the target folder. A folder is never replaced. */
export const CONFLICT_RULES = ['skip', 'replace', 'both'] as const;
export type ConflictRule = (typeof CONFLICT_RULES)[number];

export interface Transfer {
  readonly entries: readonly FileEntry[];
  readonly from: string;
  readonly to: string;
  readonly rule: ConflictRule;
  readonly signal: AbortSignal;
  send(path: string, to: string, overwrite: boolean): Promise<unknown>;
  onProgress(count: number): void;
}

export interface TransferOutcome {
  readonly done: number;
  readonly skipped: number;
  readonly refused: readonly { readonly entry: FileEntry; readonly sentence: string }[];
}

const MOST_NUMBERED = 99;

/** Rejects with an AbortError where it was stopped; entries before that are done. */
export async function transferEach({
  entries,
  from,
  to,
  rule,
  signal,
  send,
  onProgress,
}: Transfer): Promise<TransferOutcome> {
  let [done, skipped] = [0, 0];
  const refused: TransferOutcome['refused'][number][] = [];
  for (const [at, entry] of entries.entries()) {
    signal.throwIfAborted();
    const path = joined(from, entry.name);
    const put = (name: string) => send(path, joined(to, name), rule === 'replace' && entry.type !== 'folder');
    try {
      await put(entry.name).catch((error: unknown) => {
        if (rule !== 'both' || !isTaken(error)) throw error;
        return putNumbered(entry, put);
      });
      done++;
    } catch (error) {
      if (signal.aborted) throw error;
      if (rule === 'skip' && isTaken(error)) skipped++;
      else refused.push({ entry, sentence: sentenceOf(error) });
    }
    onProgress(at + 1);
  }
  return { done, skipped, refused };
}

async function putNumbered({ name, type }: FileEntry, put: (name: string) => Promise<unknown>): Promise<unknown> {
  for (let number = 2; ; number++) {
    try {
      return await put(numbered(name, number, type));
    } catch (error) {
      if (number >= MOST_NUMBERED || !isTaken(error)) throw error;
    }
  }
}

const isTaken = (error: unknown): boolean => error instanceof ApiProblem && error.error === 'file_exists';

/** `notes (2).txt`; of a folder, and of a name that begins with its only dot, the number is at the end. */
export function numbered(name: string, number: number, type: FileEntry['type']): string {
  const dot = type === 'folder' ? -1 : name.lastIndexOf('.');
  return dot > 0 ? `${name.slice(0, dot)} (${number})${name.slice(dot)}` : `${name} (${number})`;
}
