// A model from its upload to the bill, in real containers and with a real engine: llama.cpp serves a Llama of one layer, and OpenAI's own
// package asks it through the gateway. Another version takes over only once it answers, and no request notices; a replica that dies in
// the midst of an answer, a sleeping one, budgets and other tenants are met on the way.
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BILLING_COMMANDS } from '@gantry/contract/areas/billing/admin-billing.ts';
import { DOCUMENT_ROUTES } from '@gantry/contract/areas/billing/documents.ts';
import { DATASET_ROUTES } from '@gantry/contract/areas/datasets/datasets.ts';
import { DATASET_TABLE_ROUTES } from '@gantry/contract/areas/datasets/tables.ts';
import { ACCOUNT_ROUTES } from '@gantry/contract/areas/identity/account.ts';
import { KEY_ROUTES } from '@gantry/contract/areas/identity/keys.ts';
import { ORGANIZATION_ROUTES } from '@gantry/contract/areas/identity/organization.ts';
import type { TokenLimits } from '@gantry/contract/areas/identity/token-limits.ts';
import { CHAT_ROUTES, type ModelRequestView } from '@gantry/contract/areas/inference/chats.ts';
import { COMPLETION_ROUTES } from '@gantry/contract/areas/inference/completions.ts';
import { MODEL_ROUTES } from '@gantry/contract/areas/models/models.ts';
import { tokenSku } from '@gantry/contract/billing/token-prices.ts';
import { micros, moneyText, parseMoney, sumOf } from '@gantry/contract/fields/money.ts';
import { KIND_ROUTES } from '@gantry/contract/http/kind-routes.ts';
import { type DataProcess, dataProcess } from '@gantry/contract/kinds/data-process.ts';
import { type ModelDeployment, modelDeployment } from '@gantry/contract/kinds/model-deployment.ts';
import { LABEL } from '@gantry/contract/names.ts';
import type { Pod } from '@gantry/kube/core-objects.ts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import OpenAI from 'openai';
import { parse } from 'yaml';
import { tinyAdapter, tinyLlama } from '../../api/src/areas/models/testing/model-files.ts';
import { mustCallApi } from '../../hack/api-call.ts';
import { SENTENCE, writeExampleModel } from '../../hack/example-model.ts';
import { gatewayFlags } from '../../hack/gateway.ts';
import { ggufFile } from '../../hack/gguf-file.ts';
import { runCommand } from '../support/command.ts';
import { cutConnection } from '../support/cut-connection.ts';
import { eventually } from '../support/eventually.ts';
import { GatewayProcess } from '../support/gateway.ts';
import { HttpClient } from '../support/http-client.ts';
import { setPrice } from '../support/list-price.ts';
import { type Mailbox, openMailbox } from '../support/mail-sink.ts';
import { type ObjectStore, startObjectStore } from '../support/object-store.ts';
import { pythonWith } from '../support/python-with.ts';
import { linesBelow } from '../support/readme-lines.ts';
import { firstAdministrator, type Person, signUp } from '../support/sign-up.ts';
import { isSoak, soakTest } from '../support/soak.ts';
import { type DatasetFile, uploadDataset } from '../support/upload-dataset.ts';
import { uploadModel } from '../support/upload-model.ts';
import { becomesDataset } from './collected-dataset.ts';
import { becomesKnowledge } from './made-dataset.ts';
import { OF_DATA, OF_MODELS, playGuides } from './played-guides.ts';
import { setStage, type Tenant } from './stage.ts';
import { type Tracked, Tracker } from './tracked.ts';

const stage = setStage('--probe-every=24h', '--credit-gate=required');
const PATIENCE_MS = 240_000;
/** The prices of a million tokens, so that one costs as many millionths. */
const PRICES = { prompt: 2, completion: 3 };
/** Long enough that an answer can be interrupted. */
const CONTEXT = 8192;
/** A gigabyte, and twenty thousand files, in the long run. */
const BROKEN_UPLOAD_BYTES = isSoak ? 1e9 : 40e6;
const MANY_FILES = isSoak ? 20_000 : 1500;
const UPLOAD_LIMIT_MS = isSoak ? 1_800_000 : PATIENCE_MS;
const ADAPTERS = ['parrot', 'pirate'];
const FOREIGN_CLIENTS = [
  ...['openai==2.54.0', 'openai-agents==0.20.0', 'langchain-openai==1.7.4', 'instructor==1.17.0'],
  ...['lm_eval==0.4.13', 'tenacity', 'aiohttp', 'tiktoken'],
];
/** Their packages are hundreds of megabytes. */
const FOREIGN_LIMIT_MS = 1_800_000;
/** Three deployments and an update fit on one small node. */
const SMALL = { cores: 0.25, memoryGi: 0.5 };

let deployments: Tracker<ModelDeployment>;
let mailbox: Mailbox;
let store: ObjectStore;
let gateway: GatewayProcess;
let staff: Person;
let ann: Person;
let acme: Tenant;
/** A member of another organisation. */
let bob: Person;
/** Its version 1 answers, and is deployed three times. */
let tiny: string;
/** Serves version 1, without adapters. */
let sleeper: Tracked<ModelDeployment>;
let embedder: Tracked<ModelDeployment>;
/** Has two replicas, with two adapters. */
let pair: Tracked<ModelDeployment>;

beforeAll(async () => {
  const { cluster, admin } = stage();
  [mailbox, deployments] = await Promise.all([openMailbox(), Tracker.start<ModelDeployment>(stage(), modelDeployment)]);
  store = await startObjectStore();
  const flags = [
    ...(await gatewayFlags(cluster)),
    '--billing=on',
    `--object-store-url=${store.endpoint}`,
    `--object-store-credentials-file=${store.credentialsFile}`,
    `--smtp-url=${mailbox.url}`,
  ];
  gateway = await GatewayProcess.start(admin, { flags });
  staff = await firstAdministrator(gateway);
  for (const part of ['prompt', 'completion'] as const)
    await setPrice(staff.client, tokenSku(part, 'any'), `${PRICES[part]}`);
  ann = await signUp(gateway.client, mailbox, 'ann_models');
  bob = await signUp(gateway.client, mailbox, 'bob_models');
  acme = stage().adopt((await ann.client.must(ACCOUNT_ROUTES.getMe)).org_id);
  stage().adopt((await bob.client.must(ACCOUNT_ROUTES.getMe)).org_id);
  const body = { kind: 'grant', amount: '50', reason: 'to try models out' } as const;
  await staff.client.must(BILLING_COMMANDS.adminTransfer, { params: { id: acme.id }, body });
  await ann.organizationReady();
  tiny = (await ann.client.must(MODEL_ROUTES.createModel, { body: { name: 'tiny' } })).id;
  await uploadModel(ann.client, tiny, '1', tinyLlama({ context: CONTEXT, seed: 1 }));
  const lora = (await ann.client.must(MODEL_ROUTES.createModel, { body: { name: 'lora' } })).id;
  for (const [at, version] of ADAPTERS.entries()) await uploadModel(ann.client, lora, version, tinyAdapter(2 + at));
  const adapters = ADAPTERS.map((name) => ({ name, model: lora, version: name }));
  pair = await deploys('pair', { replicas: 2, adapters });
});
afterAll(async () => {
  deployments?.stop();
  await gateway?.close();
  await store?.end();
  await mailbox?.close();
});

const podsOf = ({ namespace, name }: Tracked<ModelDeployment>): Pod[] =>
  stage()
    .pods.living()
    .filter(({ metadata }) => metadata.namespace === namespace && metadata.labels?.[LABEL.modelDeployment] === name);
/** How many names the file of its model has: the node's cache has one of them. */
async function linksOfModel(pod: Pod | undefined): Promise<number> {
  const node = stage().cluster.nodes.find(({ name }) => name === pod?.spec?.nodeName);
  const volume = `${node?.kubeletDir}/pods/${pod?.metadata.uid}/volumes/kubernetes.io~empty-dir/models`;
  return (await stat(`${volume}/model/tiny.gguf`)).nlink;
}
const isReady = ({ status, metadata }: Pod): boolean =>
  metadata.deletionTimestamp === undefined &&
  (status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') ?? false);

/** Version 1 of the model. */
async function deploys(
  displayName: string,
  spec: Partial<Pick<ModelDeployment['spec'], 'replicas' | 'autoscaling' | 'task' | 'adapters'>>,
): Promise<Tracked<ModelDeployment>> {
  // The cluster learns of a new member a moment later.
  const { id } = await eventually(`${displayName} is made`, () =>
    ann.client.must(KIND_ROUTES.modelDeployment.create, {
      body: { displayName, model: tiny, version: '1', ...SMALL, ...spec },
    }),
  );
  return deployments.known(acme.namespace, id);
}

/** A new member of acme, who may use what is there, and manage nothing. */
async function colleagueOf({ client }: Person): Promise<Person> {
  const colleague = await signUp(gateway.client, mailbox, 'cat_models');
  stage().adopt((await colleague.client.must(ACCOUNT_ROUTES.getMe)).org_id);
  const body = { members: [{ account: colleague.name, role: 'member' as const }] };
  await client.must(ORGANIZATION_ROUTES.inviteMembers, { params: { org_id: acme.id }, body });
  await colleague.join(acme.id);
  return colleague;
}

/** As another version of the model, by way of a folder of a disk that no instance has. */
async function copiedFromDisk(version: string, file: Uint8Array): Promise<void> {
  const disk = (await ann.client.must(KIND_ROUTES.dataDisk.create, { body: { displayName: 'runs', sizeGi: 1 } })).id;
  await eventually('its files are served', async () => {
    const { status } = await ann.client.fetch(`/api/stor/v1/data-disk/${disk}/filesystem/file?path=/tiny.gguf`, {
      method: 'PUT',
      body: file as RequestInit['body'] & Uint8Array,
    });
    return status === 200;
  });
  const body = { version, disk };
  await ann.client.must(MODEL_ROUTES.importModelFromDisk, { params: { id: tiny }, body });
  await eventually(`version ${version} is copied`, async () => {
    const { versions } = await ann.client.must(MODEL_ROUTES.getModel, { params: { id: tiny } });
    const { state, problem } = versions.find(({ name }) => name === version) ?? {};
    if (problem) throw new Error(problem.message);
    return state === 'ready';
  });
}

interface Key {
  id: string;
  token: string;
  openai: OpenAI;
}

async function keyOf({ client }: Person, limits: Partial<TokenLimits> | null = null): Promise<Key> {
  const body = { remark: 'program', scopes: ['view', 'use'] as ('view' | 'use')[], expiration_time: null, limits };
  const { id, token } = await client.must(KEY_ROUTES.createApiToken, { body });
  return { id, token, openai: new OpenAI({ apiKey: token, baseURL: `${gateway.url}/v1`, maxRetries: 0 }) };
}

const MESSAGES = [{ role: 'user' as const, content: 'Tell me about the sea.' }];
const brief = (model: string) => ({ model, messages: MESSAGES, max_tokens: 2 });

/** The use of a key, once so many requests are written. */
const usedBy = ({ id }: Key, requests: number) =>
  eventually(`${requests} requests are written`, async () => {
    const { rows } = await ann.client.must(COMPLETION_ROUTES.getTokenUsage);
    const own = rows.filter(({ token_id }) => token_id === id);
    expect(own.reduce((all, row) => all + row.requests, 0)).toBe(requests);
    return own;
  });

const costOf = ({ prompt_tokens, completion_tokens }: Pick<ModelRequestView, 'prompt_tokens' | 'completion_tokens'>) =>
  moneyText(micros(BigInt(prompt_tokens * PRICES.prompt + completion_tokens * PRICES.completion)));

/** One request after the other, until it is told to stop: then, what was answered with anything but an answer. */
function asksSteadily(openai: OpenAI, model: string): () => Promise<{ answers: number; failures: string[] }> {
  let isOver = false;
  let answers = 0;
  const failures: string[] = [];
  const asking = (async () => {
    while (!isOver) {
      await openai.chat.completions.create(brief(model)).then(
        () => answers++,
        (error: unknown) => failures.push(`${error}`),
      );
    }
  })();
  return async () => {
    isOver = true;
    await asking;
    return { answers, failures };
  };
}

/** A long answer in pieces. */
class Streaming {
  readonly requestId: string;
  pieces = 0;
  /** Resolves with why it broke off, or undefined after its end. */
  readonly ended: Promise<unknown>;
  readonly #stop: AbortController;

  private constructor(
    requestId: string,
    stream: AsyncIterable<OpenAI.ChatCompletionChunk> & { controller: AbortController },
  ) {
    this.requestId = requestId;
    this.#stop = stream.controller;
    this.ended = (async () => {
      for await (const { choices } of stream) if (choices[0]?.delta.content) this.pieces++;
    })().catch((error: unknown) => error);
  }

  static async of(openai: OpenAI, model: string, content: string): Promise<Streaming> {
    const { data, response } = await openai.chat.completions
      .create({ model, messages: [{ role: 'user', content }], max_tokens: CONTEXT - 200, stream: true })
      .withResponse();
    return new Streaming(response.headers.get('x-request-id') ?? '', data);
  }

  leave(): void {
    this.#stop.abort();
  }

  /** The cost of the request, once that is written. */
  bill(): Promise<ModelRequestView> {
    return eventually('it is written', () =>
      ann.client.must(CHAT_ROUTES.getModelRequest, { params: { id: this.requestId } }),
    );
  }
}

/** The completion of a ready replica, at the port that its Pod names. */
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

test.concurrent('an uploaded model answers, and another version takes over only where it answers too, without a failed request', async () => {
  const chat = await deploys('chat', { replicas: 1 });
  await chat.reaches('active', PATIENCE_MS);
  const first = await completes(chat);
  expect(first.model).toBe(chat.name);
  const shown = await ann.client.must(KIND_ROUTES.modelDeployment.read, { params: { id: chat.name } });
  expect(shown).toMatchObject({
    setup: 'automatic',
    engine: 'llama.cpp',
    model: { id: tiny, name: 'tiny', version: '1' },
    context_length: CONTEXT,
    arithmetic: expect.arrayContaining([expect.stringContaining('Weights: 0.01 GiB')]),
  });
  expect(await ann.client.must(MODEL_ROUTES.getModel, { params: { id: tiny } })).toMatchObject({ deployed: true });
  const inUse = await ann.client.call(MODEL_ROUTES.deleteModelVersion, { params: { id: tiny, version: '1' } });
  expect([inUse.status, inUse.body.error]).toEqual([409, 'model_in_use']);
  expect(inUse.body.message).toMatch(/^In use by .*\bchat\b.*\. Delete or change that first\.$/);
  const { openai } = await keyOf(ann);
  const asking = asksSteadily(openai, chat.name);

  // Its header is sound, and what it holds is no Llama: the engine ends.
  await uploadModel(
    ann.client,
    tiny,
    '2',
    ggufFile({ metadata: { 'general.architecture': 'llama' }, tensors: { a: [0, [4]] } }),
  );
  await ann.client.must(KIND_ROUTES.modelDeployment.change, { params: { id: chat.name }, body: { version: '2' } });
  await eventually(
    'the engine of the wrong version ends',
    async () => chat.last.status.reason === 'ProgramEnds',
    PATIENCE_MS,
  );
  expect((await completes(chat)).pod).toBe(first.pod);

  const params = { id: chat.name };
  await ann.client.must(KIND_ROUTES.modelDeployment.act, { params, body: { action: 'rollback' } });
  await eventually(
    'version 1 serves again, as a new revision',
    async () => {
      const { phase, model, revisions } = await ann.client.must(KIND_ROUTES.modelDeployment.read, { params });
      const served = revisions.map(({ version }) => version);
      return phase === 'active' && model.version === '1' && served.join() === '1,2,1';
    },
    PATIENCE_MS,
  );

  await copiedFromDisk('3', tinyLlama({ context: CONTEXT }));
  await ann.client.must(KIND_ROUTES.modelDeployment.change, { params, body: { version: '3' } });
  await eventually(
    'the third version serves alone',
    async () => {
      const pods = podsOf(chat).filter(isReady);
      return chat.last.status.phase === 'active' && pods.length === 1 && pods[0]?.metadata.name !== first.pod;
    },
    PATIENCE_MS,
  );
  await completes(chat);
  const { answers, failures } = await asking();
  expect(failures).toEqual([]);
  expect(answers).toBeGreaterThan(10);

  const asAnn = await acme.kubectlAs((await ann.client.must(ACCOUNT_ROUTES.getMe)).account_id);
  await asAnn.must(['scale', 'modeldeployment', chat.name, '--replicas=0', '-n', chat.namespace]);
  await chat.becomes(
    'finished without replicas',
    ({ status }) => status.phase === 'finished' && status.replicas?.total === 0,
    PATIENCE_MS,
  );
  await ann.client.must(KIND_ROUTES.modelDeployment.remove, { params: { id: chat.name } });
  await eventually('its version is free', async () => {
    await ann.client.must(MODEL_ROUTES.deleteModelVersion, { params: { id: tiny, version: '3' } });
    return true;
  });
});

test.concurrent('the example model, sent and shelved by the README’s lines, answers where kubectl apply asks for it, and what it answered becomes a dataset', async () => {
  stage().adopt((await staff.client.must(ACCOUNT_ROUTES.getMe)).org_id);
  await staff.organizationReady();
  const { exampleModelDir } = stage().cluster;
  await writeExampleModel({ exampleModelDir });
  const { stdout, stderr } = await runCommand('bash', ['--norc', '-uc', await linesBelow('### Keep a model')], {
    env: {
      GANTRY_API: `${gateway.url}/api`,
      GANTRY_TOKEN: staff.client.token ?? '',
      GANTRY_EXAMPLE_MODEL: exampleModelDir,
    },
  });
  expect([stdout.split('\n'), stderr]).toEqual([
    expect.arrayContaining(['mdl-example', 'example.gguf', 'ready', 'true']),
    '',
  ]);

  const { metadata, ...example }: ModelDeployment = parse(
    await readFile('crds/examples/model-deployment.yaml', 'utf8'),
  );
  // With a replica more than it needs now.
  const spec = { ...example.spec, autoscaling: { min: 1, max: 2 }, dataReflow: { percent: 100 } };
  const ours = { ...example, spec, metadata: { ...metadata, namespace: acme.namespace } };
  await stage().kubectl.must(['apply', '-f', '-'], ours);
  const chat = deployments.known(acme.namespace, metadata.name);
  await chat.reaches('active', PATIENCE_MS);
  const { openai } = await keyOf(ann);
  const model = `${acme.id}/${metadata.name}`;
  const { choices } = await openai.chat.completions.create({ model, messages: MESSAGES });
  expect(choices[0]?.message.content).toBe(SENTENCE);
  const params = { id: metadata.name };
  await eventually(
    'the node that the next replica may go to has the files, and no replica was there',
    async () => {
      const { cached_on: cached } = await ann.client.must(KIND_ROUTES.modelDeployment.read, { params });
      return cached?.nodes === 2 && cached.copying === 0;
    },
    PATIENCE_MS,
  );
  expect(podsOf(chat)).toHaveLength(1);
  const isFill = ({ metadata: { labels } }: Pod) => labels?.[LABEL.fills] === metadata.name;
  const fills = stage().pods.everything().filter(isFill);
  expect(new Set(fills.map(({ metadata: { uid } }) => uid)).size).toBe(1);
  await eventually('what brought them is gone', () => !stage().pods.living().some(isFill));
  await becomesDataset({
    ...{ manager: ann.client, colleague: (await colleagueOf(ann)).client },
    ...{ deployment: metadata.name, answered: 1, answer: SENTENCE, store },
  });
  await stage().kubectl.must([
    'delete',
    'modeldeployment',
    metadata.name,
    '--namespace',
    acme.namespace,
    '--wait=false',
  ]);
});

test.concurrent(
  'the help centre’s commands do what its articles say: a model is deployed and called by curl and OpenAI’s packages, and data is sent',
  async () => {
    const python = isSoak ? await pythonWith('openai', ['openai==2.54.0']) : undefined;
    const surroundings = { stage: stage(), gateway, python };
    const ofModels = OF_MODELS.filter((slug) => slug !== OF_DATA);
    const replaced = { 'mdl-example': tiny, "version: '1.0'": "version: '1'" };
    const said = await playGuides(ofModels, { ...surroundings, person: ann, replaced });
    expect(said).toContain('"object":"chat.completion"');
    expect(said).toContain(`"id":"${acme.id}/assistant"`);
    // In another organisation: this one’s lists of datasets are another test’s.
    expect(await playGuides([OF_DATA], { ...surroundings, person: bob })).toContain('"step":"checking"');
    const { id = '' } =
      (await bob.client.must(DATASET_ROUTES.listDatasets)).find(({ name }) => name === 'handbook') ?? {};
    // A Pod makes a table of it, which would go on after the test.
    await eventually(
      'what was sent is a table',
      async () => {
        const params = { id, version: 1 };
        return (await bob.client.must(DATASET_ROUTES.getDatasetVersion, { params })).profile?.state === 'ready';
      },
      PATIENCE_MS,
    );
  },
  PATIENCE_MS,
);

test.concurrent(
  'data, sent, read, compared and shelved by the README’s lines, is a table that every organisation sees',
  async () => {
    stage().adopt((await staff.client.must(ACCOUNT_ROUTES.getMe)).org_id);
    await staff.organizationReady();
    const folder = await mkdtemp(join(stage().folder, 'data-'));
    const lines = (await linesBelow('### Keep data')).replaceAll('.run/gantry/questions', folder);
    const { stdout, stderr } = await runCommand('bash', ['--norc', '-euc', lines], {
      env: { GANTRY_API: `${gateway.url}/api`, GANTRY_TOKEN: staff.client.token ?? '' },
    });
    expect(stderr).toBe('');
    const said = stdout.replaceAll(/\s+/g, '');
    for (const part of [
      '[["ThecapitalofNorway?","Oslo",2]]',
      '"name":"level","type":"BIGINT"',
      '[1][[1.5]]',
      '{"added":0,"removed":1,"changed":1,"same":0,"before":2,"after":1}true',
    ])
      expect(said).toContain(part);
    const [shown] = await ann.client.must(DATASET_ROUTES.listDatasetLibrary);
    expect(shown).toMatchObject({ name: 'questions', type: 'qa', is_own: false, rows: 1 });
    const params = { id: shown?.id ?? '', version: 2 };
    const { rows } = await ann.client.must(DATASET_TABLE_ROUTES.listDatasetRows, { params });
    expect(rows).toEqual([['The capital of Norway?', 'Oslo', 1]]);
  },
  PATIENCE_MS,
);

test.concurrent(
  'an upload whose connection breaks three times goes on, its table shows its last row, and thousands of files are sent once',
  async () => {
    // Not as ann, whose calls a minute the other tests need.
    await bob.organizationReady();
    // Pieces break off in their midst.
    const marks = [0.2, 0.5, 0.8].map((share) => share * BROKEN_UPLOAD_BYTES);
    const connection = await cutConnection(Number(new URL(gateway.url).port), marks);
    try {
      const { id } = await bob.client.must(DATASET_ROUTES.createDataset, { body: { name: 'large' } });
      const row = (number: number) => `{"number": ${`${number}`.padStart(9)}, "text": "${'word '.repeat(190)}"}\n`;
      const rows = Math.ceil(BROKEN_UPLOAD_BYTES / row(0).length);
      const read = (from: number, to: number) => {
        const [first, end] = [Math.floor(from / row(0).length), Math.ceil(to / row(0).length)];
        const text = Array.from({ length: end - first }, (_, at) => row(first + at)).join('');
        return Buffer.from(text).subarray(from - first * row(0).length, to - first * row(0).length);
      };
      const file = { path: 'large.jsonl', size: rows * row(0).length, read };
      const { version } = await uploadDataset(new HttpClient(() => connection.url, bob.client.token), id, [file]);
      expect(connection.cuts).toBe(3);
      const params = { id, version };
      await eventually(
        'its table is ready',
        async () => (await bob.client.must(DATASET_ROUTES.getDatasetVersion, { params })).profile?.state === 'ready',
        PATIENCE_MS,
      );
      const last = rows - 1;
      const page = await bob.client.must(DATASET_TABLE_ROUTES.listDatasetRows, { params, query: { from: last } });
      expect([page.total, page.rows.map(([number]) => number)]).toEqual([rows, [last]]);

      const many = (await bob.client.must(DATASET_ROUTES.createDataset, { body: { name: 'many' } })).id;
      const files = Array.from({ length: MANY_FILES }, (_, number): DatasetFile => {
        // No text: nothing makes a table of it, which would go on after the test.
        const content = Buffer.from(`\0file ${number}`);
        const sha256 = createHash('sha256').update(content).digest('hex');
        return { path: `${number % 100}/${number}.bin`, size: content.length, sha256, read: () => content };
      });
      expect((await uploadDataset(bob.client, many, files)).sentBytes).toBeGreaterThan(MANY_FILES * 5);
      expect(await uploadDataset(bob.client, many, files)).toMatchObject({ version: 2, sentBytes: 0 });
    } finally {
      await connection.close();
    }
  },
  UPLOAD_LIMIT_MS,
);

test.concurrent('fifty requests wake a sleeping deployment once, and none of them is lost', async () => {
  sleeper = await deploys('sleeper', { autoscaling: { min: 0, max: 1, idleSeconds: 30 } as never });
  await sleeper.reaches('active', PATIENCE_MS);
  await sleeper.reaches('sleeping', PATIENCE_MS);
  await eventually('its replica is gone', () => podsOf(sleeper).length === 0, PATIENCE_MS);
  const shown = await ann.client.must(KIND_ROUTES.modelDeployment.read, { params: { id: sleeper.name } });
  expect(shown.cached_on?.nodes).toBeGreaterThan(0);
  const podsEver = () =>
    new Set(
      stage()
        .pods.everything()
        .filter(({ metadata }) => metadata.labels?.[LABEL.modelDeployment] === sleeper.name)
        .map(({ metadata }) => metadata.uid),
    ).size;
  const before = podsEver();

  const key = await keyOf(ann);
  const crowd = await Promise.all(
    Array.from({ length: 50 }, () => key.openai.chat.completions.create(brief(sleeper.name))),
  );
  expect(crowd.map(({ usage }) => usage?.completion_tokens)).toEqual(crowd.map(() => 2));
  expect(podsEver() - before).toBe(1);
  // The node had them: they are other names of the same files.
  expect(await linksOfModel(podsOf(sleeper)[0])).toBeGreaterThan(1);
  const used = await usedBy(key, 50);
  expect(used).toMatchObject([{ model: sleeper.name, completion_tokens: 100, estimated_requests: 0 }]);
});

test('OpenAI’s package chats, streams and completes with a deployment, and the bill is exact to the token', async () => {
  await pair.reaches('active', PATIENCE_MS);
  // Starts while others are asked.
  embedder = await deploys('embedder', { replicas: 1, task: 'Embed' });
  const key = await keyOf(ann);
  const { openai } = key;
  const model = `${acme.id}/${pair.name}`;
  const chat = await openai.chat.completions.create({ model, messages: MESSAGES, max_tokens: 5 });
  const stream = await openai.chat.completions.create({
    ...{ model, messages: MESSAGES, max_tokens: 7 },
    stream: true,
    stream_options: { include_usage: true },
  });
  let pieces = 0;
  let last: OpenAI.CompletionUsage | undefined;
  for await (const { choices, usage } of stream) {
    if (choices[0]?.delta.content) pieces++;
    last = usage ?? last;
  }
  const completion = await openai.completions.create({ model, prompt: 'Once upon a time', max_tokens: 3 });
  const response = await openai.responses.create({ model, input: 'Once upon a time', max_output_tokens: 4 });
  expect(pieces).toBe(7);
  const told = [
    chat.usage,
    last,
    completion.usage,
    { prompt_tokens: response.usage?.input_tokens, completion_tokens: response.usage?.output_tokens },
  ];
  expect(told.map((usage) => usage?.completion_tokens)).toEqual([5, 7, 3, 4]);

  const [used, ...others] = await usedBy(key, 4);
  expect(others).toEqual([]);
  expect(used).toMatchObject({
    model: pair.name,
    account_id: ann.accountId,
    prompt_tokens: told.reduce((all, usage) => all + (usage?.prompt_tokens ?? 0), 0),
    completion_tokens: 19,
    estimated_requests: 0,
  });
  expect(used?.amount).toBe(costOf(used as NonNullable<typeof used>));
  const posted = await ann.client.must(DOCUMENT_ROUTES.listTransactions, { query: { search: pair.name } });
  const ofTokens = posted.filter(({ detail }) => detail === pair.name);
  expect(moneyText(sumOf(ofTokens.map(({ total_amount }) => parseMoney(total_amount))))).toBe(used?.amount);
});

test('a budget ends in the midst of a day, a key knows one model, and another tenant’s does not exist', async () => {
  const most = 150;
  const frugal = await keyOf(ann, { tokens_per_day: most });
  const spent: number[] = [];
  const refusal: unknown = await (async () => {
    for (;;) spent.push((await frugal.openai.chat.completions.create(brief(pair.name))).usage?.total_tokens ?? 0);
  })().catch((error: unknown) => error);
  expect(refusal).toMatchObject({ status: 429, code: 'budget_exceeded', type: 'insufficient_quota' });
  const sum = (tokens: readonly number[]) => tokens.reduce((all, one) => all + one, 0);
  expect(sum(spent)).toBeGreaterThanOrEqual(most);
  expect(sum(spent.slice(0, -1))).toBeLessThan(most);
  // Others of the same person go on.
  const { openai } = await keyOf(ann, { models: [`${acme.id}/${pair.name}`] });
  expect((await openai.chat.completions.create(brief(pair.name))).usage?.completion_tokens).toBe(2);
  expect((await openai.models.list()).data.map(({ id }) => id)).toEqual([`${acme.id}/${pair.name}`]);

  const stranger = (await keyOf(bob)).openai;
  expect((await stranger.models.list()).data).toEqual([]);
  const others = deployments.following.living().map(({ metadata }) => metadata.name);
  const forbidden = others.find((name) => name !== pair.name);
  const toldOf = async (one: OpenAI, model: string) => {
    const error: unknown = await one.chat.completions.create(brief(model)).catch((error: unknown) => error);
    if (!(error instanceof OpenAI.NotFoundError)) throw new Error(`${model}: ${error}`);
    return error.message.replaceAll(model, 'NAME');
  };
  const absent = await toldOf(openai, `${acme.id}/absent`);
  expect(await toldOf(openai, `${acme.id}/${forbidden}`)).toBe(absent);
  expect(await toldOf(stranger, `${acme.id}/${pair.name}`)).toBe(absent);
  expect(await toldOf(stranger, pair.name)).toBe(absent);
});

test('an adapter answers in place of its model, and the model answers as it does without adapters', async () => {
  const { openai } = await keyOf(ann);
  const said = async (model: string) => {
    const asked = { model, prompt: 'Once upon a time', max_tokens: 8, temperature: 0 };
    return (await openai.completions.create(asked)).choices[0]?.text;
  };
  const own = await Promise.all([pair.name, ...ADAPTERS.map((name) => `${acme.id}/${pair.name}:${name}`)].map(said));
  expect(new Set(own).size).toBe(3);
  expect(own[0]).toBe(await said(sleeper.name));
});

test('a replica that dies in the midst of an answer ends it with an error, and the bill holds what was produced', async () => {
  const { openai } = await keyOf(ann);
  // A replica that knows the beginning of a prompt would get both.
  const both = await Promise.all(['Of the sea', 'Of the land'].map((text) => Streaming.of(openai, pair.name, text)));
  await eventually('both have begun', () => both.every(({ pieces }) => pieces >= 5));
  const [victim] = podsOf(pair).filter(isReady);
  const name = victim?.metadata.name ?? '';
  await stage().kubectl.must([
    ...['delete', 'pod', name, '--namespace', acme.namespace],
    ...['--grace-period=0', '--force', '--wait=false'],
  ]);
  const [broken, error] = await Promise.race(both.map(async (one) => [one, await one.ended] as const));
  expect(error).toMatchObject({ code: 'engine_died', type: 'server_error' });
  const bill = await broken.bill();
  // The engine says along the way how far it is.
  expect(bill).toMatchObject({ outcome: 'broken', completion_tokens: broken.pieces, is_estimate: false });
  expect(bill.amount).toBe(costOf(bill));

  // The other replica goes on, until nobody wants to hear it.
  const other = both.find((one) => one !== broken) as Streaming;
  const before = other.pieces;
  await eventually('the other one goes on', () => other.pieces > before);
  other.leave();
  await other.ended;
  const left = await other.bill();
  expect(left.outcome).toBe('left');
  expect(left.completion_tokens).toBeGreaterThanOrEqual(other.pieces);
  expect(left.completion_tokens).toBeLessThan(CONTEXT - 200);
  expect(left.amount).toBe(costOf(left));
  expect((await openai.chat.completions.create(brief(pair.name))).usage?.completion_tokens).toBe(2);
});

test('documents in three languages become pairs and a knowledge base: asked, cited, edited, its worker taken away', async () => {
  await embedder.reaches('active', PATIENCE_MS);
  const tasks = await Tracker.start<DataProcess>(stage(), dataProcess);
  try {
    await becomesKnowledge({
      client: ann.client,
      stranger: bob.client,
      search: {
        url: gateway.url,
        tokens: { own: (await keyOf(ann)).token, stranger: (await keyOf(bob)).token },
      },
      tasks,
      namespace: acme.namespace,
      model: `${acme.id}/${embedder.name}`,
      chat: `${acme.id}/${pair.name}`,
      takeStore: () => store.goAway(),
      takePod: async (task) => {
        const pod = await eventually('its worker runs', () =>
          stage()
            .pods.living()
            .find(({ metadata, status }) => metadata.labels?.[LABEL.name] === task && status?.phase === 'Running'),
        );
        const path = `/api/v1/namespaces/${acme.namespace}/pods/${pod?.metadata.name}?gracePeriodSeconds=0`;
        await mustCallApi(stage().cluster, { method: 'DELETE', path });
      },
    });
  } finally {
    tasks.stop();
  }
}, 900_000);

test('OpenAI’s package for Python does the same: models, chat, streams, JSON schemas, responses, tools, embeddings, errors and leaving', async () => {
  const python = await pythonWith('openai-3.57.0', ['openai==3.57.0']);
  await embedder.reaches('active', PATIENCE_MS);
  const { token } = await keyOf(ann);
  const names = [pair, embedder].map(({ name }) => `${acme.id}/${name}`);
  const program = fileURLToPath(new URL('openai_client.py', import.meta.url));
  const { code, stdout, stderr } = await runCommand(python, [program, ...names, `${acme.id}/absent`], {
    env: { OPENAI_API_KEY: token, OPENAI_BASE_URL: `${gateway.url}/v1` },
  });
  expect([code, stderr]).toEqual([0, '']);
  const { models, leave, ...said } = JSON.parse(stdout);
  expect(models).toEqual(expect.arrayContaining(names));
  expect(said).toEqual({
    whole: 3,
    stream: [4, 4],
    schema: true,
    responses: [true, true, 'response.created', 'response.completed', 'function_call'],
    tools: 'assistant',
    embeddings: [true, true],
    errors: ['NotFoundError', 'AuthenticationError', 'BadRequestError'],
  });
  const left = await eventually('it is written', () =>
    ann.client.must(CHAT_ROUTES.getModelRequest, { params: { id: leave } }),
  );
  expect(left.outcome).toBe('left');
  expect(left.completion_tokens).toBeLessThan(4000);
});

soakTest(
  'the Agents SDK, LangChain, instructor and the evaluation harness read what it says, their tools are called and schemas kept',
  async () => {
    const python = await pythonWith('foreign-clients-1', FOREIGN_CLIENTS);
    const { token } = await keyOf(ann);
    const program = fileURLToPath(new URL('foreign_clients.py', import.meta.url));
    const { code, stdout, stderr } = await runCommand(python, [program, `${acme.id}/${pair.name}`], {
      env: { OPENAI_API_KEY: token, OPENAI_BASE_URL: `${gateway.url}/v1`, OPENAI_AGENTS_DISABLE_TRACING: '1' },
    });
    expect([code, code === 0 ? '' : stderr]).toEqual([0, '']);
    const {
      agents_stream: events,
      langchain_stream: pieces,
      ...said
    } = JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
    expect([events > 3, pieces > 1]).toEqual([true, true]);
    const all = { agents_tool: 1, agents_schema: true, langchain_schema: true, langchain_tool: true };
    expect(said).toEqual({ ...all, instructors: [true, true, true], harness: [true, true] });
  },
  FOREIGN_LIMIT_MS,
);
