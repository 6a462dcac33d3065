// What a deployment has collected as a dataset: its rows, its place in the lineage, and what deletion leaves of both. All of it is for
// those who manage the organisation alone.
import { createHash } from 'node:crypto';
import { DATASET_ROUTES } from '@gantry/contract/areas/datasets/datasets.ts';
import { DATASET_TABLE_ROUTES } from '@gantry/contract/areas/datasets/tables.ts';
import { LINEAGE_ROUTES, type LineageKind, type LineageView } from '@gantry/contract/areas/lineage/lineage.ts';
import { COLLECTED_ROUTES } from '@gantry/contract/areas/models/collected.ts';
import { expect } from '@jest/globals';
import { blobKey } from '../../api/src/core/files/stored-objects.ts';
import { ObjectStore } from '../../api/src/platform/object-store/object-store.ts';
import { waitUntil } from '../faults/wait-until.ts';
import { eventually } from '../support/eventually.ts';
import type { HttpClient } from '../support/http-client.ts';
import type { ObjectStore as StoreOfTest } from '../support/object-store.ts';

/** Collected requests become a file once the first of them is a minute old. */
const COLLECTED_WITHIN_MS = 120_000;
const READY_WITHIN_MS = 120_000;
/** Others of the same person ask meanwhile, and have their calls a minute. */
const EVERY_MS = 500;

interface Collected {
  manager: HttpClient;
  /** A member without the right `manage`. */
  colleague: HttpClient;
  /** The id of a deployment that collects, and has answered so many requests with `answer`. */
  deployment: string;
  answered: number;
  answer: string;
  /** The gateway's. */
  store: StoreOfTest;
}

export async function becomesDataset({ manager, colleague, deployment, answered, answer, store }: Collected) {
  await waitUntil(
    'what was answered is collected',
    async () => {
      const { sets } = await manager.must(COLLECTED_ROUTES.listCollected);
      return sets.find((set) => set.deployment === deployment)?.records === answered;
    },
    { limitMs: COLLECTED_WITHIN_MS, everyMs: EVERY_MS },
  );
  const { id } = await manager.must(DATASET_ROUTES.createDataset, { body: { name: 'asked' } });
  const begin = { params: { id }, body: { deployment } };
  expect((await colleague.call(DATASET_ROUTES.importDatasetFromCollected, begin)).status).toBe(403);
  const { version } = await manager.must(DATASET_ROUTES.importDatasetFromCollected, begin);
  const params = { id, version };
  const { digest } = await waitUntil(
    'its table is ready',
    async () => {
      const now = await manager.must(DATASET_ROUTES.getDatasetVersion, { params });
      if (now.problem ?? now.profile?.problem) throw new Error(JSON.stringify(now));
      return now.profile?.state === 'ready' ? now : undefined;
    },
    { limitMs: READY_WITHIN_MS, everyMs: EVERY_MS },
  );
  const { columns, rows } = await manager.must(DATASET_TABLE_ROUTES.listDatasetRows, { params });
  const messages = rows.map((row) => row[columns.findIndex(({ name }) => name === 'messages')]);
  expect(messages.map((each) => JSON.stringify(each).includes(answer))).toEqual(Array(answered).fill(true));

  const made = { kind: 'dataset', name: 'asked', id, version: `${version}`, digest, is_own: true, level: 2 };
  const its = { ...made, gone_time: null };
  const origin = expect.objectContaining({ kind: 'deployment', id: deployment, gone_time: null });
  const set = expect.objectContaining({ kind: 'collected', id: deployment, gone_time: null });
  expect(await lineageOf(manager, 'dataset', id, 'up')).toEqual([
    [origin, set],
    [set, expect.objectContaining({ ...its, level: 0 })],
  ]);
  const became = (dataset: unknown) => [
    [origin, set],
    [set, dataset],
  ];
  expect(await lineageOf(manager, 'deployment', deployment, 'down')).toEqual(became(expect.objectContaining(its)));
  const seesNothing = async () => {
    const refused = await Promise.all([
      colleague.call(DATASET_ROUTES.getDataset, { params: { id } }),
      colleague.call(DATASET_TABLE_ROUTES.listDatasetRows, { params }),
      colleague.call(LINEAGE_ROUTES.getLineage, { query: { kind: 'dataset', id } }),
    ]);
    expect(refused.map(({ status }) => status)).toEqual([404, 404, 404]);
    expect(await colleague.must(DATASET_ROUTES.listDatasets)).toEqual([]);
    expect(await lineageOf(colleague, 'deployment', deployment, 'down')).toEqual([]);
  };
  await seesNothing();

  const objects = openStore(store);
  try {
    const kept = await blobsOf(manager, params);
    const sizes = () => Promise.all(kept.map((key) => objects.size(key)));
    expect(await sizes()).toEqual(kept.map(() => expect.any(Number)));
    await manager.must(DATASET_ROUTES.deleteDatasetVersion, { params });
    await eventually('its bytes are gone', async () => (await sizes()).every((size) => size === undefined));
  } finally {
    objects.close();
  }
  const tombstone = expect.objectContaining({ ...made, gone_time: expect.any(String) });
  expect(await lineageOf(manager, 'deployment', deployment, 'down')).toEqual(became(tombstone));
  await manager.must(DATASET_ROUTES.deleteDataset, { params: { id } });
  expect(await lineageOf(manager, 'deployment', deployment, 'down')).toEqual(became(tombstone));
  await seesNothing();
}

/** As the gateway opens it, which was told of no bucket. */
const openStore = ({ endpoint: url, credentials }: StoreOfTest): ObjectStore =>
  new ObjectStore({
    ...{ url, bucket: 'gantry', region: 'us-east-1' },
    ...{ accessKey: credentials.accessKeyId, secretKey: credentials.secretAccessKey },
  });

type Node = LineageView['nodes'][number];

/** Its edges: from what, to what; what came first is first. */
async function lineageOf(
  client: HttpClient,
  kind: LineageKind,
  id: string,
  direction: 'up' | 'down',
): Promise<[from: Node | undefined, to: Node | undefined][]> {
  const { nodes, edges } = await client.must(LINEAGE_ROUTES.getLineage, { query: { kind, id, direction, depth: 2 } });
  const levelOf = (at: number) => nodes[at]?.level ?? 0;
  return edges
    .toSorted((one, other) => levelOf(one.from) - levelOf(other.from))
    .map(({ from, to }) => [nodes[from], nodes[to]]);
}

/** Keys of what is stored of a version: its files, and its table in one part. */
async function blobsOf(client: HttpClient, params: { id: string; version: number }): Promise<string[]> {
  const files = await client.must(DATASET_ROUTES.listDatasetFiles, { params });
  const query = { format: 'parquet', part: 0 };
  const part = await client.open(DATASET_TABLE_ROUTES.downloadDatasetTable, { params, query });
  const digest = createHash('sha256')
    .update(new Uint8Array(await part.arrayBuffer()))
    .digest('hex');
  return [...files.map(({ sha256 }) => sha256 ?? ''), digest].map(blobKey);
}
