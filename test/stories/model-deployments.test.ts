// A model from its upload to an answer, in real containers and with a real engine: llama.cpp serves a Llama of one layer. Another
// version takes over only once it answers; one that cannot leaves the one before it serving.
import { createHash } from 'node:crypto';
import { ACCOUNT_ROUTES } from '@gantry/contract/http/account.ts';
import { KIND_ROUTES } from '@gantry/contract/http/kind-routes.ts';
import { MODEL_ROUTES } from '@gantry/contract/http/models.ts';
import { type ModelDeployment, modelDeployment } from '@gantry/contract/kinds/model-deployment.ts';
import { LABEL } from '@gantry/contract/names.ts';
import type { Pod } from '@gantry/kube/core-objects.ts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ggufFile, tinyLlama } from '../../api/src/models/testing/model-files.ts';
import { gatewayFlags } from '../../hack/gateway.ts';
import { eventually } from '../support/eventually.ts';
import { GatewayProcess } from '../support/gateway.ts';
import { type Mailbox, openMailbox } from '../support/mail-sink.ts';
import { type ObjectStore, startObjectStore } from '../support/object-store.ts';
import { type Person, signUp } from '../support/sign-up.ts';
import { setStage, type Tenant } from './stage.ts';
import { type Tracked, Tracker } from './tracked.ts';

const stage = setStage('--probe-every=24h', '--credit-gate=off');
const PATIENCE_MS = 240_000;

let deployments: Tracker<ModelDeployment>;
let mailbox: Mailbox;
let store: ObjectStore;
let gateway: GatewayProcess;
let ann: Person;
let acme: Tenant;

beforeAll(async () => {
  const { cluster, admin } = stage();
  [mailbox, deployments] = await Promise.all([openMailbox(), Tracker.start<ModelDeployment>(stage(), modelDeployment)]);
  store = await startObjectStore();
  const flags = [
    ...(await gatewayFlags(cluster)),
    `--object-store-url=${store.endpoint}`,
    `--object-store-credentials-file=${store.credentialsFile}`,
    `--smtp-url=${mailbox.url}`,
  ];
  gateway = await GatewayProcess.start(admin, { flags });
  ann = await signUp(gateway.client, mailbox, 'ann_models');
  acme = stage().adopt((await ann.client.must(ACCOUNT_ROUTES.getMe)).org_id);
  await ann.organizationReady();
});
afterAll(async () => {
  deployments?.stop();
  await gateway?.close();
  await store?.end();
  await mailbox?.close();
});

async function uploads(id: string, version: string, file: Uint8Array): Promise<void> {
  const sha256 = createHash('sha256').update(file).digest('hex');
  const path = 'tiny.gguf';
  const files = [{ path, size_bytes: file.length, sha256 }];
  await ann.client.must(MODEL_ROUTES.uploadModelVersion, { params: { id }, body: { version, files } });
  const { pathname } = gateway.client.url(`/api/model/v1/model/${id}/version/${version}/upload`);
  const sent = await ann.client.fetch(`${pathname}?path=${path}&offset=0`, {
    method: 'PUT',
    body: file as RequestInit['body'] & Uint8Array,
  });
  expect(sent.status).toBe(200);
  await eventually(`version ${version} is ready`, async () => {
    const { versions } = await ann.client.must(MODEL_ROUTES.getModel, { params: { id } });
    return versions.find(({ name }) => name === version)?.state === 'ready';
  });
}

const podsOf = ({ namespace, name }: Tracked<ModelDeployment>): Pod[] =>
  stage()
    .pods.living()
    .filter(({ metadata }) => metadata.namespace === namespace && metadata.labels?.[LABEL.modelDeployment] === name);
const isReady = ({ status, metadata }: Pod): boolean =>
  metadata.deletionTimestamp === undefined &&
  (status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') ?? false);

/** Of a replica that is ready, at the port that its Pod names. */
async function completes(deployment: Tracked<ModelDeployment>): Promise<{ model: string; text: string; pod: string }> {
  const pod = podsOf(deployment).find(isReady);
  const port = pod?.spec?.containers[0]?.ports?.find(({ name }) => name === 'http')?.containerPort;
  const answer = await fetch(`http://${pod?.status?.podIP}:${port}/v1/completions`, {
    method: 'POST',
    body: JSON.stringify({ model: deployment.name, prompt: 'a', max_tokens: 2 }),
  });
  if (answer.status !== 200) throw new Error(`${answer.status} ${await answer.text()}`);
  const { model, choices, usage } = (await answer.json()) as {
    model: string;
    choices: { text: string }[];
    usage: { completion_tokens: number };
  };
  expect(usage.completion_tokens).toBe(2);
  return { model, text: choices[0]?.text ?? '', pod: pod?.metadata.name ?? '' };
}

test('an uploaded model answers, and another version takes over only where it answers too', async () => {
  const { id: model } = await ann.client.must(MODEL_ROUTES.createModel, { body: { name: 'tiny' } });
  await uploads(model, '1', tinyLlama());
  const made = await eventually('the deployment is made', () =>
    ann.client.must(KIND_ROUTES.modelDeployment.create, { body: { displayName: 'chat', model, version: '1' } }),
  );
  expect(made).toMatchObject({ phase: 'preparing', setup: 'automatic', model: { id: model, version: '1' } });
  const chat = deployments.known(acme.namespace, made.id);
  await chat.reaches('active', PATIENCE_MS);
  const first = await completes(chat);
  expect(first.model).toBe(made.id);
  const shown = await ann.client.must(KIND_ROUTES.modelDeployment.read, { params: { id: made.id } });
  expect(shown).toMatchObject({
    engine: 'llama.cpp',
    model: { name: 'tiny' },
    context_length: 512,
    arithmetic: expect.arrayContaining([expect.stringContaining('Weights: 0.01 GiB')]),
  });
  expect(await ann.client.must(MODEL_ROUTES.getModel, { params: { id: model } })).toMatchObject({ deployed: true });
  const inUse = await ann.client.call(MODEL_ROUTES.deleteModelVersion, { params: { id: model, version: '1' } });
  expect([inUse.status, inUse.body.error]).toEqual([409, 'model_in_use']);

  // Its header is sound, and what it holds is no Llama: the engine ends.
  await uploads(model, '2', ggufFile({ metadata: { 'general.architecture': 'llama' }, tensors: { a: [0, [4]] } }));
  await ann.client.must(KIND_ROUTES.modelDeployment.change, { params: { id: made.id }, body: { version: '2' } });
  await eventually(
    'the engine of the wrong version ends',
    async () => chat.last.status.reason === 'ProgramEnds',
    PATIENCE_MS,
  );
  expect((await completes(chat)).pod).toBe(first.pod);

  await uploads(model, '3', tinyLlama());
  await ann.client.must(KIND_ROUTES.modelDeployment.change, { params: { id: made.id }, body: { version: '3' } });
  await eventually(
    'the third version serves alone',
    async () => {
      const pods = podsOf(chat).filter(isReady);
      return chat.last.status.phase === 'active' && pods.length === 1 && pods[0]?.metadata.name !== first.pod;
    },
    PATIENCE_MS,
  );
  await completes(chat);

  await ann.client.must(KIND_ROUTES.modelDeployment.act, { params: { id: made.id }, body: { action: 'stop' } });
  await chat.reaches('finished', PATIENCE_MS);
  await ann.client.must(KIND_ROUTES.modelDeployment.remove, { params: { id: made.id } });
  await eventually('the model is free', async () => {
    const { deployed } = await ann.client.must(MODEL_ROUTES.getModel, { params: { id: model } });
    return !deployed;
  });
  await ann.client.must(MODEL_ROUTES.deleteModel, { params: { id: model } });
});
