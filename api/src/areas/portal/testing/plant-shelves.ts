// What a visitor is shown, in the database and on the cluster: nodes with GPUs, a price, models and datasets; and beside it what nobody
// may hear of, with one word in it.
import type { KubeObject } from '@gantry/contract/define-kind.ts';
import { parseMoney } from '@gantry/contract/fields/money.ts';
import { GPU_RESOURCE, LABEL } from '@gantry/contract/names.ts';
import type { Database } from '../../../platform/db/open.ts';
import { datasetProfiles, datasets, datasetVersions } from '../../../platform/db/schema/datasets.ts';
import { blobs, files } from '../../../platform/db/schema/files.ts';
import { models, modelVersions } from '../../../platform/db/schema/models.ts';
import { articles, articleVersions, marketModels } from '../../../platform/db/schema/operation.ts';
import { discounts, prices } from '../../../platform/db/schema/prices.ts';

export const [BIG, SMALL, HIDDEN] = ['NVIDIA-H200', 'Tesla-T4', 'NVIDIA-L4'];
/** Of tenants, of drafts, and of what staff hide. */
export const WORD = 'unspeakableword';
/** What no public answer has: that word, the other organisation and what is its own, and its discount. */
export const UNSPEAKABLE = /unspeakable|otherorg|stranger|98\.76|secret"/;

const node = (name: string, model: string, gpus: number, memoryMi: number): KubeObject =>
  ({
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, uid: name, labels: { [LABEL.gpuModel]: model, [LABEL.gpuMemory]: `${memoryMi}` } },
    spec: {},
    status: {
      allocatable: {
        ...{ [GPU_RESOURCE]: `${gpus}`, cpu: '64', memory: '512Gi', 'ephemeral-storage': '2Ti', pods: '110' },
      },
      conditions: [{ type: 'Ready', status: 'True' }],
    },
  }) as unknown as KubeObject;

/** Eight GPUs of one model, four of another, and one of a model that staff hide. */
export const portalNodes = (): KubeObject[] => [
  node('node-a', BIG, 8, 141 * 1024),
  node('node-b', SMALL, 4, 15 * 1024),
  node('node-c', HIDDEN, 1, 23 * 1024),
];

const at = new Date('2026-11-01T00:00:00Z');
const from = new Date('2026-11-01T00:01:00Z');

/** Models, datasets, prices and the draft of an article, beside `startMemoryGateway`'s people. */
export async function plantShelves(db: Database): Promise<void> {
  const own = { organizationId: 'acmeorgs', creatorId: 'acc-administrator', createdAt: at, updatedAt: at };
  const theirs = { ...own, organizationId: 'otherorg', creatorId: 'acc-stranger' };
  await db.sql.insert(models).values([
    {
      ...{ ...own, id: 'mdl-shown', name: 'Qwen3-8B-Instruct', license: 'apache-2.0', language: ['en', 'zh'] },
      ...{ tags: ['chat'], card: '# Qwen3\n\nA **multilingual** chat model. 支持中文对话。', shelvedAt: at },
    },
    {
      ...own,
      id: 'mdl-zh',
      name: '文本向量',
      card: '用于语义检索',
      license: 'mit',
      tags: ['embedding'],
      shelvedAt: at,
    },
    { ...theirs, id: 'mdl-theirs', name: WORD, card: WORD, tags: [WORD], license: WORD },
  ]);
  const version = { state: 'ready', source: 'upload', createdAt: at, readyAt: at } as const;
  await db.sql.insert(modelVersions).values([
    {
      ...{ ...version, id: 'mvr-shown', modelId: 'mdl-shown', name: '1', creatorId: 'acc-administrator' },
      ...{ format: 'safetensors', structure: 'Qwen3ForCausalLM', parameters: 8_000_000_000, quantisation: 'BF16' },
      ...{ contextLength: 32_768, weightBytes: 16_000_000_000, kvBytesPerToken: 147_456, attentionHeads: 32 },
    },
    { ...version, id: 'mvr-zh', modelId: 'mdl-zh', name: '1', creatorId: 'acc-administrator' },
    { ...version, id: 'mvr-theirs', modelId: 'mdl-theirs', name: WORD, creatorId: 'acc-stranger' },
  ]);
  await db.sql.insert(datasets).values([
    {
      ...{ ...own, id: 'dst-shown', name: 'Grade school maths', type: 'qa', license: 'mit', language: ['en'] },
      ...{ card: 'Questions and answers.', tags: ['maths'], shelvedAt: at, lastVersion: 1 },
    },
    { ...theirs, id: 'dst-theirs', name: WORD, type: 'file', card: WORD, tags: [WORD], lastVersion: 1 },
  ]);
  const data = { number: 1, state: 'ready', message: '', createdAt: at, readyAt: at } as const;
  await db.sql.insert(datasetVersions).values([
    {
      ...{ ...data, id: 'dsv-shown', datasetId: 'dst-shown', source: 'disk', sourceRef: WORD, rows: 2 },
      ...{ creatorId: 'acc-administrator', format: 'csv', digest: 'd'.repeat(64) },
    },
    { ...data, id: 'dsv-theirs', datasetId: 'dst-theirs', source: 'upload', creatorId: 'acc-stranger' },
  ]);
  const column = { name: 'question', type: 'VARCHAR', nulls: 0 };
  const facts = { rows: 2, rejected: 0, rejected_kept: 0, duplicates: 0, languages: [], is_cut: false, problems: [] };
  await db.sql.insert(datasetProfiles).values({
    ...{ versionId: 'dsv-shown', state: 'ready', createdAt: at, parts: [] },
    facts: {
      ...facts,
      columns: [
        {
          ...{ ...column, distinct: 2, min: null, max: null, mean: null, deviation: null, quartiles: null },
          ...{
            shortest: 1,
            longest: 9,
            mean_length: 5,
            histogram: null,
            lengths: null,
            values: null,
            values_more: null,
          },
        },
      ],
    },
  });
  const file = { ownerKind: 'dataset', organizationId: 'acmeorgs', sizeBytes: 12, state: 'ready' } as const;
  await db.sql.insert(blobs).values({ digest: 'a'.repeat(64), sizeBytes: 12, storedAt: at });
  await db.sql.insert(files).values({
    ...{ ...file, id: 'fil-shown', ownerId: 'dsv-shown', path: 'train.csv', receivedBytes: 12, digest: 'a'.repeat(64) },
  });
  const note = { en: 'New here', zh: '新上架', ja: '新着' };
  const staff = { changedAt: at, changedBy: 'acc-administrator' };
  await db.sql.insert(marketModels).values([
    { model: SMALL, isShown: true, position: 1, note, ...staff },
    { model: HIDDEN, isShown: false, position: null, note: { en: WORD, zh: WORD, ja: WORD }, ...staff },
  ]);
  const list = { region: '*', currency: 'USD', validFrom: from, createdAt: at, createdBy: 'test' };
  await db.sql.insert(prices).values([{ ...list, sku: `gpu/${BIG}`, amount: parseMoney('4') }]);
  await db.sql.insert(discounts).values([
    {
      ...{ type: 'sku', target: `gpu/${BIG}`, basisPoints: 2_500, validFrom: from },
      createdAt: at,
      createdBy: 'test',
    },
    {
      ...{ type: 'organization', organizationId: 'otherorg', basisPoints: 9_876, validFrom: from },
      ...{ createdAt: at, createdBy: 'test' },
    },
  ]);
  const title = { en: WORD, zh: WORD, ja: WORD };
  const draft = { id: 'art-draft', slug: 'draft', kind: 'help', title, latest: 1, position: 0 } as const;
  await db.sql.insert(articles).values({ ...draft, ...staff });
  const words = { number: 1, reason: '', createdAt: at, createdBy: 'acc-administrator' };
  await db.sql
    .insert(articleVersions)
    .values({ ...words, id: 'art-draft.1', articleId: draft.id, title, content: title });
}
