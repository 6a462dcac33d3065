import { MODEL_COMMANDS } from '@gantry/contract/areas/models/admin-models.ts';
import { MODEL_ROUTES as R } from '@gantry/contract/areas/models/models.ts';
import { organization } from '@gantry/contract/kinds/organization.ts';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { migratedDatabase, resetDatabase } from '../../../../test/support/database.ts';
import { eventually } from '../../../../test/support/eventually.ts';
import { type MemoryGateway, startMemoryGateway } from '../../../../test/support/memory-gateway.ts';
import { type ObjectStore, startObjectStore } from '../../../../test/support/object-store.ts';
import { kindObject } from '../../core/kinds/testing/memory-kinds.ts';
import { safetensorsFile } from './testing/model-files.ts';

/** The patience on a machine with much else to do. */
const PATIENCE_MS = 120_000;
jest.setTimeout(2 * PATIENCE_MS);

let gateway: MemoryGateway;
let store: ObjectStore;
beforeAll(async () => {
  store = await startObjectStore();
  const db = await migratedDatabase();
  await resetDatabase(db);
  const flags = [
    `--object-store-url=${store.endpoint}`,
    `--object-store-credentials-file=${store.credentialsFile}`,
    '--hub-url=',
  ];
  const objects = [
    kindObject(organization, 'acmeorgs', { spec: { quota: { modelsGi: 1 } }, metadata: { namespace: undefined } }),
  ];
  gateway = await startMemoryGateway({ db, flags, objects });
});
afterAll(async () => {
  await gateway?.stop();
  await store?.end();
});

const as = (role: 'owner' | 'member' | 'viewer' | 'administrator') => gateway.client(gateway.tokens[role]);
const stranger = () => gateway.client('token-of-stranger');
const BYTES = Buffer.from(safetensorsFile({ w: ['F32', [3]] }));

async function uploaded(name: string): Promise<string> {
  const { id } = await as('member').must(R.createModel, { body: { name } });
  const files = [{ path: 'model.safetensors', size_bytes: BYTES.length }];
  await as('member').must(R.uploadModelVersion, { params: { id }, body: { version: '1', files } });
  const piece = await as('member').fetch(`/api/model/v1/model/${id}/version/1/upload?path=model.safetensors&offset=0`, {
    method: 'PUT',
    body: BYTES,
  });
  expect(await piece.json()).toMatchObject({ result: { offset: BYTES.length, complete: true } });
  await eventually(
    'a ready version',
    async () => (await as('viewer').must(R.getModel, { params: { id } })).state === 'ready',
    PATIENCE_MS,
  );
  return id;
}

test('a model is uploaded, seen by everybody in the organisation, and downloaded as it was', async () => {
  const id = await uploaded('tiny');
  const { versions } = await as('viewer').must(R.getModel, { params: { id } });
  expect(versions).toMatchObject([{ state: 'ready', parameters: 3, quantisation: 'F32', creator: 'acc-member' }]);
  const of = { params: { id, version: '1' }, query: { path: 'model.safetensors' } };
  const whole = await as('viewer').open(R.downloadModelFile, of);
  expect([whole.status, whole.headers.get('content-type')]).toEqual([200, 'application/octet-stream']);
  expect(Buffer.compare(Buffer.from(await whole.arrayBuffer()), BYTES)).toBe(0);
  const part = await as('viewer').open(R.downloadModelFile, { ...of, headers: { range: 'bytes=1-2' } });
  expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 1-2/${BYTES.length}`]);
  expect(Buffer.from(await part.arrayBuffer())).toEqual(BYTES.subarray(1, 3));
  const beyond = await as('viewer').call(R.downloadModelFile, { ...of, headers: { range: 'bytes=9999-' } });
  expect([beyond.status, beyond.body.error]).toEqual([416, 'range_outside']);
});

test('staff shelve a model that staff own, with a reason, and every organisation finds it', async () => {
  const id = await uploaded('shelved');
  // The owner of this organisation is an administrator of the platform.
  const command = { params: { id }, body: { reason: 'asked for' } };
  expect((await as('member').call(MODEL_COMMANDS.adminShelveModel, command)).status).toBe(403);
  expect(await as('administrator').must(MODEL_COMMANDS.adminShelveModel, command)).toMatchObject({ shelved: true });
  expect((await stranger().call(R.listModelLibrary)).body.data).toMatchObject([{ id, name: 'shelved', is_own: false }]);
  expect((await as('owner').call(R.deleteModel, { params: { id } })).body).toMatchObject({ error: 'model_shelved' });
  await as('administrator').must(MODEL_COMMANDS.adminUnshelveModel, command);
  expect((await stranger().call(R.getModel, { params: { id } })).status).toBe(404);
  const theirs = { params: { id: gateway.foreign.model ?? '' }, body: { reason: 'x' } };
  const refused = await as('administrator').call(MODEL_COMMANDS.adminShelveModel, theirs);
  expect(refused.body).toMatchObject({ error: 'model_of_tenant' });
  await as('owner').must(R.deleteModel, { params: { id } });
});

test('staff alone choose the id of a model, which nobody else has', async () => {
  const wish = (name: string, id: string) => ({ body: { name, id } });
  const refused = await as('member').call(R.createModel, wish('squatter', 'mdl-chosen'));
  expect([refused.status, refused.body.error, refused.body.field]).toEqual([403, 'model_id_of_staff', 'id']);
  expect(await as('administrator').must(R.createModel, wish('chosen', 'mdl-chosen'))).toMatchObject({
    id: 'mdl-chosen',
  });
  const taken = await as('administrator').call(R.createModel, wish('other', 'mdl-chosen'));
  expect([taken.status, taken.body.error]).toEqual([422, 'model_id_exists']);
  for (const id of ['chosen', 'mdl-', 'mdl-a--b', 'mdl-A', `mdl-${'a'.repeat(40)}`])
    expect((await as('administrator').call(R.createModel, wish('other', id))).body.field).toBe('id');
  await as('administrator').must(R.deleteModel, { params: { id: 'mdl-chosen' } });
});

test.each([
  ['files.0.path', { files: [{ path: '../x', size_bytes: 1 }] }],
  ['files.0.path', { files: [{ path: '/x', size_bytes: 1 }] }],
  ['files.0.size_bytes', { files: [{ path: 'x', size_bytes: 0 }] }],
  ['version', { version: 'a/b', files: [{ path: 'x', size_bytes: 1 }] }],
  [
    'files',
    {
      files: [
        { path: 'x', size_bytes: 1 },
        { path: 'x', size_bytes: 1 },
      ],
    },
  ],
])('what is declared wrongly is refused with its field: %s', async (field, wish) => {
  const { id } = await as('member').must(R.createModel, { body: { name: `wrong-${Math.random()}` } });
  const { status, body } = await as('member').call(R.uploadModelVersion, {
    params: { id },
    body: { version: '2', ...wish },
  });
  expect(status).toBeGreaterThanOrEqual(400);
  expect(status).toBeLessThan(500);
  expect(body.field).toBe(field);
});

test('an installation without a hub says so', async () => {
  const { id } = await as('member').must(R.createModel, { body: { name: 'from a hub' } });
  const wish = { params: { id }, body: { version: '1', repository: 'lab/tiny' } };
  expect((await as('member').call(R.importModelVersion, wish)).body).toMatchObject({ error: 'model_hub_off' });
});

test('a viewer changes nothing, and the token of the hub is for those who manage', async () => {
  expect((await as('viewer').call(R.createModel, { body: { name: 'x' } })).status).toBe(403);
  expect((await as('member').call(R.setModelHubToken, { body: { token: 'hf_x' } })).status).toBe(403);
  await as('owner').must(R.setModelHubToken, { body: { token: 'hf_x' } });
  const about = await as('viewer').must(R.getModelHubToken);
  expect(about).toMatchObject({ is_set: true, creator: 'acc-owner' });
  expect(JSON.stringify(about)).not.toContain('hf_x');
});
