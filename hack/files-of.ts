// The files of a folder, and their pieces as the gateway takes those of models.
import { open, readdir, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { PIECE_BYTES } from '@gantry/contract/areas/models/model-facets.ts';

export interface FileOfFolder {
  /** Below the folder. */
  readonly path: string;
  readonly location: string;
  readonly bytes: number;
}

/** Those of its folders, too; without hidden ones, and without empty ones, which say nothing. */
export async function filesOf(folder: string): Promise<FileOfFolder[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = await Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map(async ({ parentPath, name }) => {
        const location = join(parentPath, name);
        return { path: relative(folder, location), location, bytes: (await stat(location)).size };
      }),
  );
  return files.filter(({ path, bytes }) => bytes > 0 && !path.split('/').some((part) => part.startsWith('.')));
}

export async function* piecesOf({
  location,
  bytes,
}: FileOfFolder): AsyncGenerator<{ offset: number; bytes: Uint8Array<ArrayBuffer> }> {
  const file = await open(location);
  try {
    for (let offset = 0; offset < bytes; offset += PIECE_BYTES) {
      const piece = new Uint8Array(Math.min(PIECE_BYTES, bytes - offset));
      const { bytesRead } = await file.read(piece, 0, piece.length, offset);
      if (bytesRead < piece.length) throw new Error(`${location} became shorter`);
      yield { offset, bytes: piece };
    }
  } finally {
    await file.close();
  }
}
