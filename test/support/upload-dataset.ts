// Files of a dataset's version on their way: listed a thousand at a time, and those that are missing are sent in pieces.
import { MOST_DATASET_FILES } from '@gantry/contract/areas/datasets/dataset-facets.ts';
import { DATASET_ROUTES } from '@gantry/contract/areas/datasets/datasets.ts';
import { PIECE_BYTES } from '@gantry/contract/areas/models/model-facets.ts';
import { eventually } from './eventually.ts';
import type { HttpClient } from './http-client.ts';

export interface DatasetFile {
  path: string;
  size: number;
  sha256?: string;
  /** From a byte on, to another that is not in it. */
  read(from: number, to: number): Promise<Uint8Array> | Uint8Array;
}

/** Sends a piece to a path of the gateway. */
export type Put = (path: string, piece: Uint8Array) => Promise<{ status: number; text: string }>;

const LISTED_AT_ONCE = 1000;
const READY_WITHIN_MS = 600_000;
/** Of one piece in a row. */
const MOST_FAILURES = 5;

/** As another version. Resolves once that is ready; `sentAt` is when the gateway had the last byte, by the clock of `performance`. */
export async function uploadDataset(
  client: HttpClient,
  id: string,
  files: readonly DatasetFile[],
  { atOnce = 4, put = byFetch(client) }: { atOnce?: number; put?: Put } = {},
): Promise<{ version: number; sentBytes: number; sentAt: number }> {
  if (files.length > MOST_DATASET_FILES) throw new Error('a version has fewer files');
  const { version } = await client.must(DATASET_ROUTES.createDatasetVersion, { params: { id }, body: {} });
  const params = { id, version };
  const missing: string[] = [];
  for (let at = 0; at < files.length; at += LISTED_AT_ONCE) {
    const some = files.slice(at, at + LISTED_AT_ONCE);
    const body = {
      files: some.map(({ path, size, sha256 }) => ({ path, size_bytes: size, ...(sha256 && { sha256 }) })),
    };
    missing.push(...(await client.must(DATASET_ROUTES.addDatasetFiles, { params, body })).missing);
  }
  const byPath = new Map(files.map((file) => [file.path, file]));
  const waiting = missing.values();
  let sentBytes = 0;
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (const path of waiting) {
        const file = byPath.get(path);
        if (!file) continue;
        await sendFile(client, params, file, put);
        sentBytes += file.size;
      }
    }),
  );
  const sentAt = performance.now();
  await client.must(DATASET_ROUTES.completeDatasetVersion, { params });
  await eventually(
    `version ${version} is ready`,
    async () => (await client.must(DATASET_ROUTES.getDatasetVersion, { params })).state === 'ready',
    READY_WITHIN_MS,
  );
  return { version, sentBytes, sentAt };
}

const byFetch =
  (client: HttpClient): Put =>
  async (path, piece) => {
    const answer = await client.fetch(path, { method: 'PUT', body: piece as RequestInit['body'] & Uint8Array });
    return { status: answer.status, text: await answer.text() };
  };

/** Goes on where the gateway has it, whatever breaks off. */
async function sendFile(
  client: HttpClient,
  params: { id: string; version: number },
  file: DatasetFile,
  put: Put,
): Promise<void> {
  let failures = 0;
  for (let offset = 0; offset < file.size; ) {
    try {
      offset = await sendPiece(put, params, file, offset);
      failures = 0;
    } catch (error) {
      if (++failures > MOST_FAILURES) throw error;
      offset = await progressOf(client, params, file);
    }
  }
}

async function sendPiece(
  put: Put,
  params: { id: string; version: number },
  file: DatasetFile,
  offset: number,
): Promise<number> {
  const to = Math.min(offset + PIECE_BYTES, file.size);
  const query = new URLSearchParams({ path: file.path, offset: `${offset}` });
  const path = `/api/data/v1/data/dataset/${params.id}/version/${params.version}/upload?${query}`;
  const { status, text } = await put(path, await file.read(offset, to));
  if (status !== 200) throw new Error(`${status} ${text}`);
  return to;
}

/** A piece that broke off may just be on its way to be refused: it is asked again. */
const progressOf = (
  client: HttpClient,
  params: { id: string; version: number },
  { path }: DatasetFile,
): Promise<number> =>
  eventually('where the file goes on', async () => {
    const found = await client
      .must(DATASET_ROUTES.getDatasetUpload, { params, query: { path } })
      .catch(() => undefined);
    return found && { at: found.offset };
  }).then(({ at }) => at);
