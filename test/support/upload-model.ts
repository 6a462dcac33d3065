// A file of a model on its way into a space, in one piece.
import { createHash } from 'node:crypto';
import { MODEL_ROUTES } from '@gantry/contract/areas/models/models.ts';
import { eventually } from './eventually.ts';
import type { HttpClient } from './http-client.ts';

const READY_WITHIN_MS = 60_000;

/** As another version of the model. Resolves once that is ready. */
export async function uploadModel(
  client: HttpClient,
  id: string,
  version: string,
  file: Uint8Array,
  path = 'tiny.gguf',
): Promise<void> {
  const sha256 = createHash('sha256').update(file).digest('hex');
  const files = [{ path, size_bytes: file.length, sha256 }];
  const begun = await client.must(MODEL_ROUTES.uploadModelVersion, { params: { id }, body: { version, files } });
  // What the organisation has stored already is not sent again.
  if (begun.received_bytes < file.length) {
    const sent = await client.fetch(`/api/model/v1/model/${id}/version/${version}/upload?path=${path}&offset=0`, {
      method: 'PUT',
      body: file as RequestInit['body'] & Uint8Array,
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
