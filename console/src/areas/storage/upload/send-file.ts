// One file onto a disk: a small one at once, a large one in pieces that go on where the disk says the upload stands.
import { ApiProblem } from '@gantry/ui/client/api-problem.ts';
import type { UploadWire } from './upload-wire.ts';

/** The most that a broken connection costs; small enough for every proxy's patience. */
export const PIECE_BYTES = 16 * 1024 * 1024;
const MOST_DIFFERENCES = 3;

export interface FileToSend {
  readonly wire: UploadWire;
  readonly file: Blob;
  readonly path: string;
  /** The same for the same file and place, however often it is begun. */
  readonly upload: string;
  readonly overwrite: boolean;
  /** It may have been begun before. */
  readonly isResumed: boolean;
  /** The answer to the last piece never came: the file may be there already. */
  readonly mayBeThere: boolean;
  readonly signal: AbortSignal;
  readonly onOffset: (bytes: number) => void;
}

/** Rejects with an ApiProblem, or with the signal's reason. */
export async function sendFile(sent: FileToSend): Promise<void> {
  const { wire, file, path, upload, overwrite, signal, onOffset } = sent;
  const isWhole = file.size <= PIECE_BYTES;
  // Nothing tells whether a small file that is there is this one: it is sent again, and whether it replaces is asked.
  if (isWhole) {
    await wire.put({ path, overwrite, body: file }, { signal, sent: onOffset });
    return;
  }
  const stands = sent.isResumed ? await wire.offset(path, upload, signal) : undefined;
  // The disk had all pieces but the last, and has this upload no more: it has become the file.
  if (stands === undefined && sent.mayBeThere && (await wire.size(path, signal)) === file.size) return;
  await sendPieces(sent, stands ?? 0);
}

async function sendPieces(sent: FileToSend, first: number): Promise<void> {
  let differences = 0;
  for (let offset: number | undefined = first; offset !== undefined; ) {
    try {
      offset = await sendPiece(sent, offset);
      differences = 0;
    } catch (error) {
      const isElsewhere = error instanceof ApiProblem && error.error === 'upload_offset';
      if (!isElsewhere || ++differences > MOST_DIFFERENCES) throw error;
      offset = Number(error.args.offset ?? 0);
    }
  }
}

/** Returns where the next one begins; undefined when the file is complete. */
async function sendPiece(sent: FileToSend, from: number): Promise<number | undefined> {
  const { wire, file, path, upload, overwrite, signal, onOffset } = sent;
  onOffset(from);
  const end = Math.min(from + PIECE_BYTES, file.size);
  // All is there: only the end is asked for again.
  const range = from >= file.size ? `bytes */${file.size}` : `bytes ${from}-${end - 1}/${file.size}`;
  const { complete, offset } = await wire.put(
    { path, overwrite, upload, range, body: file.slice(from, end) },
    { signal, sent: (bytes) => onOffset(from + bytes) },
  );
  return complete ? undefined : (offset ?? end);
}
