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

const LISTED_AT_ONCE = 1000;
const READY_WITHIN_MS = 600_000;
/** Of one piece in a row. */
const MOST_FAILURES = 5;

/** As another version. Resolves with its number, and how many bytes were sent, once that is ready. */
export async function uploadDataset(
  client: HttpClient,
  id: string,
  files: readonly DatasetFile[],
  { atOnce = 4 } = {},
): Promise<{ version: number; sentBytes: number }> {
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
        await sendFile(client, params, file);
        sentBytes += file.size;
      }
    }),
  );
  await client.must(DATASET_ROUTES.completeDatasetVersion, { params });
  await eventually(
    `version ${version} is ready`,
    async () => (await client.must(DATASET_ROUTES.getDatasetVersion, { params })).state === 'ready',
    READY_WITHIN_MS,
  );
  return { version, sentBytes };
}

/** Goes on where the gateway has it, whatever breaks off. */
async function sendFile(client: HttpClient, params: { id: string; version: number }, file: DatasetFile): Promise<void> {
  let failures = 0;
  for (let offset = 0; offset < file.size; ) {
    try {
      offset = await sendPiece(client, params, file, offset);
      failures = 0;
    } catch (error) {
      if (++failures > MOST_FAILURES) throw error;
      offset = await standingOf(client, params, file);
    }
  }
}

async function sendPiece(
  client: HttpClient,
  params: { id: string; version: number },
  file: DatasetFile,
  offset: number,
): Promise<number> {
  const to = Math.min(offset + PIECE_BYTES, file.size);
  const query = new URLSearchParams({ path: file.path, offset: `${offset}` });
  const path = `/api/data/v1/data/dataset/${params.id}/version/${params.version}/upload?${query}`;
  const body = (await file.read(offset, to)) as RequestInit['body'] & Uint8Array;
  const sent = await client.fetch(path, { method: 'PUT', body });
  const said = await sent.text();
  if (sent.status !== 200) throw new Error(`${sent.status} ${said}`);
  return to;
}

/** A piece that broke off may just be on its way to be refused: it is asked again. */
const standingOf = (
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
