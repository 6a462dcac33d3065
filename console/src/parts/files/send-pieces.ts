// A file on its way into the store: in pieces, one after the other, on from where the server says it stands. While the network is away
// it waits.
import { PIECE_BYTES } from '@gantry/contract/areas/models/model-facets.ts';
import { ApiProblem } from '@gantry/ui/client/api-problem.ts';

const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 30_000;

export interface FileToSend {
  readonly path: string;
  readonly file: Blob;
}

export interface Patience {
  readonly signal: AbortSignal;
  pause(ms: number): Promise<void>;
  /** Whether it waits for the network. */
  onAway(isAway: boolean): void;
}

export interface PieceCalls {
  /** Where the file stands. */
  progress(): Promise<{ offset: number }>;
  put(offset: number, body: Blob): Promise<unknown>;
}

/** `first` is where it stands, if that is known. Rejects with an ApiProblem where waiting does not help, or with the signal's reason. */
export async function sendPieces(
  file: Blob,
  { progress, put }: PieceCalls,
  { first, onOffset, ...patience }: Patience & { first?: number; onOffset(offset: number): void },
): Promise<void> {
  let offset = first;
  const sendNext = async (): Promise<boolean> => {
    const from = offset ?? (await progress()).offset;
    onOffset(from);
    if (from >= file.size) return true;
    // Of a piece without an answer nobody knows whether it arrived: where the file stands is asked again.
    offset = undefined;
    const body = file.slice(from, from + PIECE_BYTES);
    await put(from, body);
    offset = from + body.size;
    return false;
  };
  while (!(await patiently(sendNext, patience)));
}

/** Asks again, later and later, for as long as nobody answers. */
export async function patiently<T>(ask: () => Promise<T>, { signal, pause, onAway }: Patience): Promise<T> {
  for (let tries = 0; ; tries++) {
    signal.throwIfAborted();
    try {
      const answer = await ask();
      onAway(false);
      return answer;
    } catch (error) {
      if (!(error instanceof ApiProblem) || !isPassing(error)) throw error;
      onAway(true);
      await pause(error.retryAfterMs ?? Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** tries));
    }
  }
}

const isPassing = (error: ApiProblem): boolean =>
  error.isUncertain || PASSING.has(error.status) || error.error === 'upload_offset';

/** Too slow, as after a machine's sleep; and too many at once. */
const PASSING: ReadonlySet<number> = new Set([408, 429]);

export const bytesIn = (files: readonly FileToSend[]): number => files.reduce((all, { file }) => all + file.size, 0);
