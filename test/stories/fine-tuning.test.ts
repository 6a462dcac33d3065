// From a file to a better served model, in real containers with the real trainer: a random model learns one set of answers, and by adapters
// another one. A trainer that is killed goes on from its checkpoint, and ends with the same loss as one that was left alone.
import { readdir, readFile } from 'node:fs/promises';
import { BILLING_COMMANDS } from '@gantry/contract/areas/billing/admin-billing.ts';
import { DOCUMENT_ROUTES } from '@gantry/contract/areas/billing/documents.ts';
import { WALLET_ROUTES } from '@gantry/contract/areas/billing/wallet.ts';
import { DATASET_ROUTES } from '@gantry/contract/areas/datasets/datasets.ts';
import { EVALUATION_ROUTES } from '@gantry/contract/areas/evaluation/evaluation.ts';
import { ACCOUNT_ROUTES } from '@gantry/contract/areas/identity/account.ts';
import { KEY_ROUTES } from '@gantry/contract/areas/identity/keys.ts';
import { LINEAGE_ROUTES } from '@gantry/contract/areas/lineage/lineage.ts';
import { MODEL_ROUTES } from '@gantry/contract/areas/models/models.ts';
import { TUNING_ROUTES } from '@gantry/contract/areas/tuning/tuning.ts';
import { tokenSku } from '@gantry/contract/billing/token-prices.ts';
import { type Micros, micros, moneyText, parseMoney, sumOf } from '@gantry/contract/fields/money.ts';
import { KIND_ROUTES } from '@gantry/contract/http/kind-routes.ts';
import { type Evaluation, evaluation } from '@gantry/contract/kinds/evaluation.ts';
import { type FineTune, fineTune } from '@gantry/contract/kinds/fine-tune.ts';
import { type ModelDeployment, modelDeployment } from '@gantry/contract/kinds/model-deployment.ts';
import { LABEL } from '@gantry/contract/names.ts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import OpenAI from 'openai';
import { exampleBase } from '../../hack/example-base.ts';
import { gatewayFlags } from '../../hack/gateway.ts';
import { pushTrainer, stateOfTrainer } from '../../hack/images/trainer.ts';
import { waitUntil } from '../faults/wait-until.ts';
import { eventually } from '../support/eventually.ts';
import { GatewayProcess } from '../support/gateway.ts';
import { type Interval, listPricesOf, setPrice } from '../support/list-price.ts';
import { type Mailbox, openMailbox } from '../support/mail-sink.ts';
import { type ObjectStore, startObjectStore } from '../support/object-store.ts';
import { firstAdministrator, type Person, signUp } from '../support/sign-up.ts';
import { uploadDataset } from '../support/upload-dataset.ts';
import { uploadModelFiles } from '../support/upload-model.ts';
import { setStage, type Tenant } from './stage.ts';
import { type Tracked, Tracker } from './tracked.ts';

const stage = setStage('--probe-every=24h', '--credit-gate=required');
/** Where the trainer's image has to be made first. */
const IMAGE_WITHIN_MS = 900_000;
const TRAINED_WITHIN_MS = 420_000;
const EVERY_MS = 500;
const POSTED_WITHIN_MS = 90_000;
const ANIMALS = ['cat', 'dog', 'cow', 'owl', 'fox', 'bee', 'ant', 'hen'];
const COLOURS = ['red', 'blue', 'green', 'pink', 'gold', 'grey', 'black', 'white'];
const STEPS = 60;
/** The shift of the second set of answers. */
const SECOND = 3;
/** Long enough to be killed in the middle. */
const ADAPTER_STEPS = 200;
const EVERY_STEPS = 20;
const SMALL = { cores: 0.5, memoryGi: 2 };
/** What ann is given, in dollars; and what a million tokens cost. */
const GIVEN = '50';
const PRICES = { prompt: 2, completion: 3 };
const PARAMETERS = { maxSteps: STEPS, batch: 16, schedule: 'Linear' as const, maxLength: 64 };

/** How often a dataset has each row. */
const COPIES = 8;

/** What colour each animal is, another one with each shift. */
const rowsOf = (shift: number) =>
  ANIMALS.map((animal, at) => ({
    question: `What colour is the ${animal}?`,
    answer: `The ${animal} is ${COLOURS[(at + shift) % COLOURS.length]}.`,
  }));
const linesOf = (shift: number) =>
  Buffer.from(
    Array.from({ length: COPIES }, () => rowsOf(shift))
      .flat()
      .map((row) => `${JSON.stringify(row)}\n`)
      .join(''),
  );

let tasks: Tracker<FineTune>;
let deployments: Tracker<ModelDeployment>;
let evaluations: Tracker<Evaluation>;
let mailbox: Mailbox;
let store: ObjectStore;
let gateway: GatewayProcess;
let ann: Person;
let acme: Tenant;
/** A member of another organisation. */
let bob: Person;
interface Version {
  model: string;
  version: string;
}
/** The model that knows the first set of answers. */
let known: Version;
/** The merged model that was killed while it learned the second set. */
let learned: Version;
/** The second set, as a dataset. */
let held: string;
let served: Tracked<ModelDeployment>;
/** All that was begun in the chain, and what its deployments answered. */
const begun: { tasks: Tracked<FineTune | Evaluation>[]; served: Tracked<ModelDeployment>[] } = {
  tasks: [],
  served: [],
};
const answered: { deployment: string; prompt_tokens: number; completion_tokens: number }[] = [];

beforeAll(async () => {
  const { cluster, admin } = stage();
  await pushTrainer(cluster);
  expect(await stateOfTrainer(cluster)).toBe('there');
  [mailbox, tasks, deployments, evaluations] = await Promise.all([
    openMailbox(),
    Tracker.start<FineTune>(stage(), fineTune),
    Tracker.start<ModelDeployment>(stage(), modelDeployment),
    Tracker.start<Evaluation>(stage(), evaluation),
  ]);
  store = await startObjectStore();
  const flags = [
    ...(await gatewayFlags(cluster)),
    '--billing=on',
    `--object-store-url=${store.endpoint}`,
    `--object-store-credentials-file=${store.credentialsFile}`,
    `--smtp-url=${mailbox.url}`,
  ];
  gateway = await GatewayProcess.start(admin, { flags });
  const staff = await firstAdministrator(gateway);
  ann = await signUp(gateway.client, mailbox, 'ann_tunes');
  bob = await signUp(gateway.client, mailbox, 'bob_tunes');
  acme = stage().adopt((await ann.client.must(ACCOUNT_ROUTES.getMe)).org_id);
  stage().adopt((await bob.client.must(ACCOUNT_ROUTES.getMe)).org_id);
  await Promise.all(
    (['prompt', 'completion'] as const).map((part) => setPrice(staff.client, tokenSku(part, 'any'), `${PRICES[part]}`)),
  );
  const body = { kind: 'grant', amount: GIVEN, reason: 'to try training out' } as const;
  await staff.client.must(BILLING_COMMANDS.adminTransfer, { params: { id: acme.id }, body });
  await ann.organizationReady();
}, IMAGE_WITHIN_MS);
afterAll(async () => {
  tasks?.stop();
  deployments?.stop();
  evaluations?.stop();
  await gateway?.close();
  await store?.end();
  await mailbox?.close();
});

/** A random model that has learned nothing. */
async function randomBase(): Promise<string> {
  const { id } = await ann.client.must(MODEL_ROUTES.createModel, { body: { name: 'random' } });
  await uploadModelFiles(ann.client, id, 'v1', exampleBase());
  return id;
}

/** A dataset whose table is there. */
async function questions(name: string, shift: number): Promise<string> {
  const { id } = await ann.client.must(DATASET_ROUTES.createDataset, { body: { name } });
  const bytes = linesOf(shift);
  const file = { path: 'rows.jsonl', size: bytes.length, read: (from: number, to: number) => bytes.subarray(from, to) };
  const { version } = await uploadDataset(ann.client, id, [file]);
  await waitUntil(
    `the table of ${name}`,
    async () => {
      const { profile } = await ann.client.must(DATASET_ROUTES.getDatasetVersion, { params: { id, version } });
      return profile?.state === 'ready';
    },
    { limitMs: TRAINED_WITHIN_MS, everyMs: EVERY_MS },
  );
  return id;
}

async function begin(displayName: string, spec: object): Promise<Tracked<FineTune>> {
  const body = {
    displayName,
    output: { name: displayName },
    checkpoints: { everySteps: EVERY_STEPS },
    ...SMALL,
    ...spec,
  };
  const { id } = await eventually(`${displayName} is made`, () =>
    ann.client.must(KIND_ROUTES.fineTune.create, { body: body as never }),
  );
  const task = tasks.known(acme.namespace, id);
  begun.tasks.push(task);
  return task;
}

/** The version that it has made. */
async function madeBy(task: Tracked<FineTune>): Promise<Version> {
  const { status } = await task.reaches('success', TRAINED_WITHIN_MS);
  const { model = '', version = '' } = status.output ?? {};
  return { model, version };
}

const curveOf = (task: Tracked<FineTune>) =>
  ann.client.must(TUNING_ROUTES.getFineTuneCurve, { params: { id: task.name } });

const stepOf = (task: Tracked<FineTune>): number => task.last.status?.training?.step ?? 0;

/** SIGKILL to the trainer in the task's Pod; its agent stays. */
async function killTrainer(task: Tracked<FineTune>): Promise<void> {
  const pod = stage()
    .pods.living()
    .find(({ metadata }) => metadata.labels?.[LABEL.name] === task.name && metadata.namespace === acme.namespace);
  const uid = pod?.metadata.uid ?? '';
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const [cgroup = '', command = ''] = await Promise.all(
      ['cgroup', 'cmdline'].map((file) => readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '')),
    );
    const isInside = cgroup.includes(uid) || cgroup.includes(uid.replaceAll('-', '_'));
    if (isInside && command.includes('gantry_trainer') && !command.includes('/agent'))
      process.kill(Number(pid), 'SIGKILL');
  }
}

test('a random model learns, and by adapters something else: killed in the middle, to the same loss', async () => {
  const [base, first, second] = await Promise.all([randomBase(), questions('first', 0), questions('second', SECOND)]);
  const taught = await begin('taught', {
    ...{ base: { model: base, version: 'v1' }, datasets: [{ dataset: first }], method: 'Full' },
    output: { name: 'taught', gguf: true },
    parameters: { ...PARAMETERS, learningRate: 0.005 },
  });
  known = await madeBy(taught);
  held = second;
  const { points } = await curveOf(taught);
  expect(points.at(-1)).toMatchObject({ step: STEPS });
  expect(points.at(-1)?.loss).toBeLessThan((points.at(0)?.loss ?? 0) / 5);

  const adapter = {
    ...{ base: known, datasets: [{ dataset: second }], method: 'LoRA' },
    parameters: { ...PARAMETERS, maxSteps: ADAPTER_STEPS, learningRate: 0.01, rank: 8, alpha: 16 },
  };
  const killed = await begin('killed', { ...adapter, output: { name: 'killed', form: 'Merged', gguf: true } });
  await waitUntil('it is beyond its first checkpoint', async () => stepOf(killed) > EVERY_STEPS, {
    ...{ limitMs: TRAINED_WITHIN_MS, everyMs: 50 },
  });
  await killTrainer(killed);
  await madeBy(killed);
  const whole = await begin('whole', adapter);
  await madeBy(whole);
  const [broken, unbroken] = [await curveOf(killed), await curveOf(whole)];
  expect(broken.runs.map(({ resumed_from }) => resumed_from !== null)).toEqual([false, true]);
  expect(broken.points.at(-1)?.loss).toBe(unbroken.points.at(-1)?.loss);

  learned = await madeBy(killed);
  const { model: id, version } = learned;
  const query = { kind: 'model', id, version, direction: 'up', depth: 4 } as const;
  const { nodes } = await ann.client.must(LINEAGE_ROUTES.getLineage, { query });
  expect(nodes.map(({ kind, name, level }) => `${level} ${kind} ${name}`).toSorted()).toEqual(
    [
      ...['0 model killed', '-1 finetune killed', '-2 model taught', '-2 dataset second'],
      ...['-3 finetune taught', '-4 model random', '-4 dataset first'],
    ].toSorted(),
  );

  const params = { id: killed.name };
  const foreign = await Promise.all([
    bob.client.call(KIND_ROUTES.fineTune.read, { params }),
    bob.client.call(TUNING_ROUTES.getFineTuneCurve, { params }),
    bob.client.call(TUNING_ROUTES.listFineTuneCheckpoints, { params }),
    bob.client.call(MODEL_ROUTES.getModel, { params: { id } }),
  ]);
  expect(foreign.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
}, 1_200_000);

const deployed = async (displayName: string, spec: object): Promise<Tracked<ModelDeployment>> => {
  const body = { displayName, cores: 0.25, memoryGi: 0.5, ...spec };
  const { id } = await ann.client.must(KIND_ROUTES.modelDeployment.create, { body: body as never });
  const deployment = deployments.known(acme.namespace, id);
  begun.served.push(deployment);
  return deployment;
};

test('what has learned is served without a card, and answers as it was taught', async () => {
  served = await deployed('colours', learned);
  await served.reaches('active', TRAINED_WITHIN_MS);
  const { token } = await ann.client.must(KEY_ROUTES.createApiToken, {
    body: { remark: 'story', scopes: ['view', 'use'], expiration_time: null, limits: null },
  });
  const openai = new OpenAI({ apiKey: token, baseURL: `${gateway.url}/v1`, maxRetries: 2 });
  const answers: string[] = [];
  for (const { question } of rowsOf(SECOND)) {
    const asked = {
      model: served.name,
      messages: [{ role: 'user' as const, content: question }],
      max_tokens: 40,
      temperature: 0,
    };
    const { choices, usage } = await openai.chat.completions.create(asked);
    answers.push(choices[0]?.message.content ?? '');
    const { prompt_tokens = 0, completion_tokens = 0 } = usage ?? {};
    answered.push({ deployment: served.name, prompt_tokens, completion_tokens });
  }
  expect(answers).toEqual(rowsOf(SECOND).map(({ answer }) => answer));
}, 600_000);

/** On the second set; each other subject is compared with the baseline. */
async function evaluated(displayName: string, subjects: readonly Tracked<ModelDeployment>[], baseline: number) {
  const { id } = await ann.client.must(KIND_ROUTES.evaluation.create, {
    body: {
      ...{ displayName, baseline, seed: 1, ...SMALL },
      subjects: subjects.map(({ name }) => ({ deployment: name })),
      tasks: [{ dataset: held, metric: 'ExactMatch' }],
    } as never,
  });
  const task = evaluations.known(acme.namespace, id);
  begun.tasks.push(task);
  await task.reaches('success', TRAINED_WITHIN_MS);
  const found = await ann.client.must(EVALUATION_ROUTES.getEvaluationScores, { params: { id } });
  for (const { subject, cost, ...score } of found.scores) {
    expect(cost).toBe(moneyText(costOf(score)));
    // Rows that are alike have one answer, which is paid once.
    const [prompt_tokens, completion_tokens] = [score.prompt_tokens / COPIES, score.completion_tokens / COPIES];
    answered.push({ deployment: subjects[subject]?.name ?? '', prompt_tokens, completion_tokens });
  }
  return { id, ...found };
}

const costOf = (one: { prompt_tokens: number; completion_tokens: number }): Micros =>
  micros(BigInt(one.prompt_tokens * PRICES.prompt + one.completion_tokens * PRICES.completion));

test('evaluated before and after, and a gate lets the better one through and stops the other', async () => {
  const before = await deployed('before', known);
  await before.reaches('active', TRAINED_WITHIN_MS);
  const better = await evaluated('better', [before, served], 0);
  expect(better.scores.map(({ subject, value, n }) => [subject, value, n])).toEqual([
    [0, 0, 64],
    [1, 1, 64],
  ]);
  expect(better.comparisons).toMatchObject([{ subject: 1, difference: 1, better: 64, worse: 0, verdict: 'better' }]);
  expect(better.subjects.map(({ stamp, differs }) => [stamp.engine, stamp.gpu, differs])).toEqual([
    ['llama.cpp', null, []],
    ['llama.cpp', null, []],
  ]);
  const query = { kind: 'evaluation', id: better.id, direction: 'up', depth: 2 } as const;
  const { nodes } = await ann.client.must(LINEAGE_ROUTES.getLineage, { query });
  expect(nodes.map(({ kind, name, level }) => `${level} ${kind} ${name}`).toSorted()).toEqual(
    [
      ...['0 evaluation better', '-1 deployment before', '-1 deployment colours', '-1 dataset second'],
      ...['-2 model taught', '-2 model killed'],
    ].toSorted(),
  );
  const worse = await evaluated('worse', [before, served], 1);
  expect(worse.comparisons).toMatchObject([{ subject: 0, difference: -1, verdict: 'worse' }]);

  const gateOf = ({ id }: { id: string }, notWorseThan: Version) => ({
    gate: { evaluation: id, metric: 'ExactMatch', notWorseThan, margin: 0.1 },
  });
  const [through, stopped] = await Promise.all([
    deployed('through', { ...learned, ...gateOf(better, known) }),
    deployed('stopped', { ...known, ...gateOf(worse, learned) }),
  ]);
  await through.reaches('active', TRAINED_WITHIN_MS);
  const { status } = await eventually('it is stopped', async () =>
    stopped.last.status?.reason === 'GateNotPassed' ? stopped.last : undefined,
  );
  expect(status?.message).toMatch(/-?1/);
  expect(stopped.last.status?.setup).toBeUndefined();

  const foreign = await Promise.all([
    bob.client.call(KIND_ROUTES.evaluation.read, { params: { id: better.id } }),
    bob.client.call(EVALUATION_ROUTES.getEvaluationScores, { params: { id: better.id } }),
    bob.client.call(EVALUATION_ROUTES.listEvaluationExamples, { params: { id: better.id }, query: {} }),
  ]);
  expect(foreign.map(({ status: answered }) => answered)).toEqual([404, 404, 404]);
}, 1_200_000);

type Begun = Tracked<FineTune | Evaluation> | Tracked<ModelDeployment>;

/** All stretches of its use: those that are posted leave its status. */
const stretchesOf = (one: Begun): Interval[] => {
  const seen = one.states.flatMap(({ status }) => (status?.intervals ?? []) as Interval[]);
  return [...new Map(seen.map((stretch) => [stretch.seq, stretch])).values()];
};

/** As the kubelet says it: from the moment in which the worker was ready to the end of its program. */
function timesOf(task: Begun): { from: string; to: string }[] {
  const pods = stage().pods.everything();
  const own = pods.filter(
    ({ metadata }) => metadata.namespace === acme.namespace && metadata.labels?.[LABEL.name] === task.name,
  );
  const times = new Map<string, { from?: string; to?: string }>();
  for (const { metadata, status } of own) {
    const known = times.get(metadata.uid ?? '') ?? {};
    const ready = status?.conditions?.find(({ type, status: is }) => type === 'Ready' && is === 'True');
    const from = known.from ?? (ready?.lastTransitionTime as string | undefined);
    const to = status?.containerStatuses?.[0]?.state?.terminated?.finishedAt as string | undefined;
    times.set(metadata.uid ?? '', { ...(from && { from }), ...((to ?? known.to) && { to: to ?? known.to }) });
  }
  return [...times.values()]
    .map(({ from = '', to = '' }) => ({ from, to }))
    .toSorted((a, b) => (a.from < b.from ? -1 : 1));
}

test('the chain has one bill, to the second and token, and nothing else is on it', async () => {
  const running = begun.served.filter((one) => one.last.status.phase === 'active');
  await Promise.all(
    running.map(async (one) => {
      await ann.client.must(KIND_ROUTES.modelDeployment.act, { params: { id: one.name }, body: { action: 'stop' } });
      await one.reaches('finished');
    }),
  );
  for (const task of begun.tasks)
    expect(stretchesOf(task).map(({ from, to }) => ({ from, to }))).toEqual(timesOf(task));

  const expected = new Map<string, Micros>();
  const adds = (key: string, cost: Micros) =>
    cost > 0n && expected.set(key, sumOf([expected.get(key) ?? micros(0n), cost]));
  for (const one of [...begun.tasks, ...begun.served])
    for (const stretch of stretchesOf(one))
      adds(
        `${one.last.kind}/${one.name} ${one.last.spec.displayName}`,
        sumOf((await listPricesOf(ann.client, stretch)).values()),
      );
  for (const { deployment, ...tokens } of answered) adds(`ModelDeployment/${deployment} ${deployment}`, costOf(tokens));

  const textOf = (costs: ReadonlyMap<string, Micros>) =>
    [...costs].map(([key, cost]) => `${key} ${moneyText(cost)}`).toSorted();
  await eventually(
    'all is posted',
    async () => {
      const lines = await ann.client.must(DOCUMENT_ROUTES.listTransactions, { query: { type: 'usage', size: 1000 } });
      const billed = new Map<string, Micros>();
      for (const { reference, detail, total_amount } of lines) {
        const key = `${reference} ${detail}`;
        billed.set(key, sumOf([billed.get(key) ?? micros(0n), parseMoney(total_amount)]));
      }
      expect(textOf(billed)).toEqual(textOf(expected));
      return true;
    },
    POSTED_WITHIN_MS,
  );
  const left = parseMoney(GIVEN) - sumOf(expected.values());
  expect(await ann.client.must(WALLET_ROUTES.balances)).toMatchObject({
    ...{ balance: moneyText(micros(left)), accrued: '0.00', debt: '0.00' },
  });
}, 300_000);
