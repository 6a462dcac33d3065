// A file of a model on its way into a space, in one piece.
import { createHash } from 'node:crypto';
import { MODEL_ROUTES } from '@gantry/contract/areas/models/models.ts';
import { eventually } from './eventually.ts';
import type { HttpClient } from './http-client.ts';

const READY_WITHIN_MS = 60_000;

/** One file as another version of the model. Resolves once that is ready. */
export const uploadModel = (
  client: HttpClient,
  id: string,
  version: string,
  file: Uint8Array,
  path = 'tiny.gguf',
): Promise<void> => uploadModelFiles(client, id, version, { [path]: file });

/** Files as another version of the model, by their paths. Resolves once that is ready. */
export async function uploadModelFiles(
  client: HttpClient,
  id: string,
  version: string,
  files: Readonly<Record<string, Uint8Array>>,
): Promise<void> {
  const listed = Object.entries(files).map(([path, bytes]) => {
    return { path, size_bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
  });
  const begun = await client.must(MODEL_ROUTES.uploadModelVersion, {
    params: { id },
    body: { version, files: listed },
  });
  for (const { path, received_bytes: received } of begun.files) {
    const bytes = files[path];
    // What the organisation has stored already is not sent again.
    if (bytes === undefined || received === bytes.length) continue;
    const sent = await client.fetch(`/api/model/v1/model/${id}/version/${version}/upload?path=${path}&offset=0`, {
      method: 'PUT',
      body: bytes as RequestInit['body'] & Uint8Array,
    });
    if (sent.status !== 200) throw new Error(`${sent.status} ${await sent.text()}`);
  }
  await eventually(
    `version ${version} is ready`,
    async () => {
      const { versions } = await client.must(MODEL_ROUTES.getModel, { params: { id } });
      return versions.find(({ name }) => name === version)?.state === 'ready';
    },
    READY_WITHIN_MS,
  );
}
