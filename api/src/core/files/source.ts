// Where an owner's files may come from by themselves: a hub, a disk. A source is not trusted: sizes and lengths are checked, and the
// bytes are hashed.
import { PIECE_BYTES } from '@gantry/contract/areas/models/model-facets.ts';
import { problem } from '@gantry/contract/http/problem.ts';
import type { FileRow } from './files.ts';

export interface SourceFile {
  path: string;
  sizeBytes: number;
  wantedSha256: string | null;
  wantedGitSha1: string | null;
  /** The source's name of the file, if that is not its path. */
  sourcePath?: string;
  /** Which content it has by now, where the list says that. */
  sourceTag?: string;
}

export interface SourcePlan {
  /** What is fetched, for good: of a hub the commit, of a disk the folder. */
  revision: string;
  files: readonly SourceFile[];
  license: string | null;
  language: readonly string[];
  tags: readonly string[];
  /** If the source has counted them. */
  rows?: number;
}

export interface Source<Plan extends SourcePlan = SourcePlan> {
  plan(): Promise<Plan>;
  /** The bytes of a file from a place on, as they come. */
  bytes(file: FileRow, from: number): AsyncIterable<Uint8Array>;
}

/** It did not answer, or says that it will later. */
export class SourceAway extends Error {
  override readonly name = 'SourceAway';
}

/** Whole pieces, and what is left at the end. Throws SourceAway if the source ends early, model_hub_answer if it goes on too long. */
export async function* piecesOf(
  chunks: AsyncIterable<Uint8Array>,
  { at, size, path }: { at: number; size: number; path: string },
): AsyncGenerator<Uint8Array> {
  let kept: Uint8Array[] = [];
  let length = 0;
  let done = at;
  for await (const chunk of chunks) {
    if (done + length + chunk.length > size)
      throw problem('model_hub_answer', { path, detail: `it has more than ${size} bytes` });
    let rest = chunk;
    // The last piece waits for the source's end, which says whether all of it is sound.
    while (length + rest.length > PIECE_BYTES) {
      const piece = Buffer.concat([...kept, rest.subarray(0, PIECE_BYTES - length)]);
      rest = rest.subarray(PIECE_BYTES - length);
      kept = [];
      length = 0;
      done += piece.length;
      yield piece;
    }
    kept.push(rest);
    length += rest.length;
  }
  if (done + length < size) throw new SourceAway('it ended early');
  if (length > 0) yield Buffer.concat(kept);
}
