// Evaluation by the real agent and a played evaluator, and once by the real one: what was answered is asked once, whatever is killed; scores, comparisons and
// examples are kept with what they were made by, and only whoever sees the datasets sees the examples.
import { createHash } from 'node:crypto';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EVALUATION_ROUTES } from '@gantry/contract/areas/evaluation/evaluation.ts';
import { micros } from '@gantry/contract/fields/money.ts';
import { problem } from '@gantry/contract/http/problem.ts';
import { INPUTS_LISTED } from '@gantry/contract/kinds/data-task.ts';
import type { Evaluation } from '@gantry/contract/kinds/evaluation.ts';
import type { ModelDeployment } from '@gantry/contract/kinds/model-deployment.ts';
import { systemClock } from '@gantry/kube/clock.ts';
import { afterAll, afterEach, beforeAll, beforeEach, expect, jest, test } from '@jest/globals';
import { acme, openStage, other, PATIENCE_MS, type Stage } from '../../api/src/areas/datasets/testing/stage.ts';
import { askedUsers, evaluateKind } from '../../api/src/areas/evaluation/evaluate-kind.ts';
import { evaluationRoutes } from '../../api/src/areas/evaluation/evaluation-routes.ts';
import { EvaluationStore, examplesId } from '../../api/src/areas/evaluation/evaluation-store.ts';
import { EXAMPLES, ExamplesOwner } from '../../api/src/areas/evaluation/examples-owner.ts';
import type { ServedVersions } from '../../api/src/areas/evaluation/served-versions.ts';
import { type ExampleRow, examplesFile } from '../../api/src/areas/evaluation/testing/examples-file.ts';
import { findWeights } from '../../api/src/areas/models/deployed.ts';
import { Evaluated } from '../../api/src/areas/models/evaluated.ts';
import { Blobs } from '../../api/src/core/files/blobs.ts';
import { filesOf } from '../../api/src/core/files/files.ts';
import { StoredBlobs } from '../../api/src/core/files/stored-blobs.ts';
import { blobKey } from '../../api/src/core/files/stored-objects.ts';
import { memberCaller } from '../../api/src/core/identity/people/member-caller.ts';
import { Lineage } from '../../api/src/core/lineage/lineage.ts';
import { recordMade } from '../../api/src/core/lineage/lineage-rows.ts';
import { Tables } from '../../api/src/core/tables/tables.ts';
import { Checkpoints } from '../../api/src/core/tasks/checkpoints.ts';
import { Runs } from '../../api/src/core/tasks/runs.ts';
import { TaskPoints } from '../../api/src/core/tasks/task-points.ts';
import { TaskScores } from '../../api/src/core/tasks/task-scores.ts';
import { TaskStore } from '../../api/src/core/tasks/task-store.ts';
import { Tasks } from '../../api/src/core/tasks/tasks.ts';
import { aside } from '../../api/src/platform/aside/aside.ts';
import { datasetProfiles, datasets, datasetVersions } from '../../api/src/platform/db/schema/datasets.ts';
import { evaluationRuns } from '../../api/src/platform/db/schema/evaluations.ts';
import { blobs as blobRows, files } from '../../api/src/platform/db/schema/files.ts';
import { models, modelVersions } from '../../api/src/platform/db/schema/models.ts';
import { taskUnits } from '../../api/src/platform/db/schema/tasks.ts';
import type { Caller } from '../../api/src/platform/http/caller.ts';
import { buildAgent } from '../../hack/images/build.ts';
import { runCommand } from '../support/command.ts';
import { forEachDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { pythonWith } from '../support/python-with.ts';
import { PlayedRun } from './tasks/played-run.ts';

jest.setTimeout(4 * PATIENCE_MS);

const EVALUATOR = join(import.meta.dirname, 'tasks', 'played-evaluator.ts');
const ROWS = Buffer.from('rows of a table');
/** Writes a table of twelve questions with their answers. */
const QUESTIONS = `import sys, pyarrow as pa, pyarrow.parquet as pq
rows = [{"question": f"What is {n} and {n}?", "answer": f"It is {2 * n}."} for n in range(12)]
pq.write_table(pa.Table.from_pylist(rows), sys.argv[1], compression="zstd")`;
/** As trainer.test.ts has them. */
const PACKAGES = ['numpy==2.4.6', 'pyarrow==26.0.1'];
const AT = new Date('2026-11-30T00:00:00Z');
const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest('hex');
const exampleOf = (task: number, row: number, subject: number): ExampleRow => ({
  ...{ task: `${task}`, row, subject: `${subject}`, answer: `answer of ${subject}` },
  // The second subject is right in the last row alone.
  score: subject === 0 || row < 3 ? 0 : 1,
});
const EXAMPLE_ROWS = (tasks: number, subjects: number) =>
  Array.from({ length: tasks * 3 * subjects }, (_, at) =>
    exampleOf(Math.floor(at / (3 * subjects)), (Math.floor(at / subjects) % 3) + 1, at % subjects),
  );

/** Until it is so. */
const eventuallySays = (isSo: () => boolean) =>
  eventually('what is awaited', async () => isSo() || undefined, PATIENCE_MS);

let folder: string;
let agent: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gantry-evaluation-'));
  agent = await buildAgent({ dir: folder }, 'agent');
  await cp(EVALUATOR, join(folder, 'evaluator.ts'));
}, 300_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

forEachDatabase((database) => {
  let stage: Stage;
  let played: PlayedRun<Evaluation>;
  let runs: Runs<Evaluation>;
  let kept: EvaluationStore;
  let scores: TaskScores;
  let routes: ReturnType<typeof evaluationRoutes>;
  let deployments: Map<string, ModelDeployment>;
  let serving: (asked: { model: string; version: string }) => Awaited<ReturnType<ServedVersions['serve']>>;
  let asked: { model: string; as: string }[];
  let examples: string;
  let says: (model: string, body: string) => string;
  let end: AbortController;
  let working: Promise<unknown>;

  beforeEach(async () => {
    const db = database();
    const clock = systemClock;
    const log = { info() {}, warn() {} };
    asked = [];
    says = () => 'yes';
    deployments = new Map();
    played = new PlayedRun({ agent, folder });
    stage = await openStage(db, {
      hasData: false,
      usedBy: (dataset, version) => askedUsers(runs.present(), dataset, version),
    });
    const { stored, store: storage } = stage;
    const blobs = new StoredBlobs({ db, store: storage.store });
    const store = new TaskStore({
      ...{ db, clock, quotaGi: () => stage.quota.gi },
      blobs: new Blobs({ db, clock, store: storage.store }),
    });
    const wayTo = (uid: string, run: number) => runs.wayTo(uid, run);
    const tables = new Tables(blobs);
    kept = new EvaluationStore({ db, clock });
    scores = new TaskScores({ db });
    stored.addOwner(new ExamplesOwner({ db, runs: kept, store, aside, wayTo }));
    const fileOf = async (id: string) => {
      const file = (await filesOf(db.sql, { kind: 'task', id })).find(({ path }) => path === EXAMPLES);
      return file?.digest ? { key: file.digest, bytes: file.sizeBytes } : undefined;
    };
    const evaluated = new Evaluated({ db, deployment: (_, name) => deployments.get(name) });
    const kind = evaluateKind({
      ...{ clock, store, scores, runs: kept, models: evaluated, datasets: stage.all.processed, tables, fileOf },
      versions: { serve: async (_, __, version) => serving(version) },
      costs: (_, model, { prompt, completion }) =>
        model === 'before' ? micros(BigInt(prompt + completion)) : undefined,
      wake: stored.wake,
    });
    runs = new Runs({
      ...{ kind, clock, log, store, blobs },
      callerOf: (accountId, organizationId) => memberCaller(db.sql, { accountId, organizationId }),
      keyed: (text) => sha256(`key ${text}`),
      async ask({ account }, task, { body }) {
        const { model } = JSON.parse(body) as { model: string };
        asked.push({ model, as: `${account.id} ${task}` });
        const content = says(model, body);
        const usage = { prompt_tokens: 9, completion_tokens: 3 };
        return { status: 200, body: JSON.stringify({ choices: [{ message: { content } }], usage }) };
      },
      cluster: played.cluster,
    });
    const points = new TaskPoints({ db, clock });
    const checkpoints = new Checkpoints({ db, clock, aside, store, wayTo });
    const tasks = new Tasks({ store, points, checkpoints, scores, aside, clock, log });
    tasks.addKind(runs);
    routes = evaluationRoutes({
      find({ organization }, id) {
        const { metadata } = played.object;
        if (organization.namespace !== metadata.namespace || id !== metadata.name)
          throw problem('not_found', { what: id });
        return played.object;
      },
      kept: { runs: kept, scores, datasets: stage.all.processed, tables, fileOf, currencyOf: () => 'USD' },
    });
    end = new AbortController();
    working = Promise.all([runs.work(end.signal), tasks.work(end.signal)]);
  });
  afterEach(async () => {
    end.abort();
    played.stop();
    await working;
    await stage.stored.stop();
  });

  /** A dataset with a version whose table is there. */
  async function table(name: string, bytes: Uint8Array = ROWS): Promise<string> {
    const id = await stage.created(name);
    const { version } = await stage.uploaded(id, { 'rows.jsonl': `{"question":"${name}"}\n` });
    const digest = sha256(bytes);
    stage.store.objects.set(blobKey(digest), bytes);
    const db = database().sql;
    const { id: versionId = '' } =
      (await db.select().from(datasetVersions)).find((one) => one.datasetId === id && `${one.number}` === version) ??
      {};
    const part = { kind: 'data' as const, path: 'data-0.parquet', firstRow: 0, rows: 3, bytes: bytes.length };
    const parts = [{ ...part, sha256: digest }];
    const facts = { columns: [{ name: 'question' }, { name: 'answer' }] };
    await db.insert(datasetProfiles).values({ versionId, state: 'ready', parts, facts, createdAt: AT });
    return id;
  }

  /** A version that is ready, with one file. */
  async function version(model: string, name: string): Promise<void> {
    const { sql } = database();
    const by = { creatorId: 'acc-acme', createdAt: AT };
    await sql
      .insert(models)
      .values({ id: model, organizationId: 'acme', name: `the ${model}`, updatedAt: AT, ...by })
      .onConflictDoNothing();
    const id = `${model}-${name}`;
    const facts = { format: 'safetensors' as const, quantisation: 'BF16', templateHash: sha256('template') };
    const row = { id, modelId: model, name, state: 'ready' as const, source: 'upload' as const, ...facts, ...by };
    await sql.insert(modelVersions).values(row);
    const file = { id: `fil-${id}`, ownerKind: 'model' as const, ownerId: id, organizationId: 'acme', sizeBytes: 1 };
    const stored = { receivedBytes: 1, digest: sha256(id), keptAt: AT, state: 'ready' as const };
    await sql.insert(blobRows).values({ digest: sha256(id), sizeBytes: 1, storedAt: AT });
    await sql.insert(files).values({ ...file, path: 'model.safetensors', ...stored });
  }

  /** A deployment whose replicas are complete. */
  async function deployed(name: string, model: string, of: string, more: object = {}): Promise<void> {
    const spec = { model, version: of, power: 'Running', replicas: 1, ...more } as unknown as ModelDeployment['spec'];
    const found = await findWeights(database().sql, 'acme', spec);
    if ('reason' in found) throw new Error(found.reason);
    const image = `registry.test/vllm@sha256:${'a'.repeat(64)}`;
    deployments.set(name, {
      metadata: { name, namespace: 'org-acme', uid: `uid-${name}` },
      spec,
      status: {
        ...{ weights: found.weights, setup: { engine: 'vllm', gpu: { model: 'H100', count: 1 } }, revision: 1 },
        revisions: [{ revision: 1, outcome: 'good', image }],
      },
    } as unknown as ModelDeployment);
  }

  const SPEC = { seed: 7, answerTokens: 64, maxRejectedPercent: 10 };
  /** Two versions of a model, evaluated by the rows of a dataset. */
  async function begun(more: object = {}, rows?: Uint8Array): Promise<string> {
    const dataset = await table('questions', rows);
    for (const name of ['v1', 'v2']) await version('mdl-a', name);
    await deployed('before', 'mdl-a', 'v1');
    await deployed('after', 'mdl-a', 'v2');
    played.begin('Evaluation', 'evl-1', {
      ...{ ...SPEC, subjects: [{ deployment: 'before' }, { deployment: 'after' }], baseline: 0 },
      tasks: [{ dataset, metric: 'ExactMatch' }],
      ...more,
    });
    await examplesAre(EXAMPLE_ROWS(1, 2));
    return dataset;
  }

  async function examplesAre(rows: readonly ExampleRow[]): Promise<void> {
    examples = join(folder, `examples-${rows.length}.parquet`);
    await writeFile(examples, examplesFile(rows));
  }

  const run = (seq: number, cause: 'first' | 'again' | 'retry', diesAfter = 0) =>
    played.run(seq, cause, (root, ask) => [
      ...[process.execPath, join(folder, 'evaluator.ts'), root, ask, examples, `${diesAfter}`],
    ]);

  async function call(id: keyof typeof EVALUATION_ROUTES, caller: Caller, query: object = {}): Promise<unknown> {
    const served = routes.find(({ route }) => route.id === id);
    const res = { setHeader() {} };
    const signal = AbortSignal.timeout(PATIENCE_MS);
    return served?.handler({ caller, params: { id: 'evl-1' }, query, res, signal, language: 'en' } as never);
  }
  const scoresOf = (caller = acme) => call('getEvaluationScores', caller);
  const examplesOf = (query: object = {}, caller = acme) =>
    call('listEvaluationExamples', caller, { page: 1, size: 10, ...query });

  test('killed it asks only what has no answer yet, and its scores have intervals, costs and stamps', async () => {
    const dataset = await begun();
    expect(await run(1, 'first', 4)).toBe(137);
    expect(await scoresOf()).toMatchObject({ run: null, scores: [] });
    // Two parts of two answers each are stored.
    expect(asked).toHaveLength(4);
    expect(await run(2, 'retry')).toBe(0);
    const { status } = played.object;
    // Six questions, and one measurement of each subject; all as whoever began the run.
    expect(asked.map(({ model }) => model)).toEqual([
      ...['before', 'before', 'before', 'after', 'after', 'after', 'before', 'after'],
    ]);
    expect(new Set(asked.map(({ as }) => as))).toEqual(new Set(['acc-acme uid-1']));
    expect(status?.inputs).toMatchObject({
      subjects: [{ model: 'mdl-a', version: 'v1', name: 'the mdl-a' }, { version: 'v2' }],
      datasets: [{ dataset, name: 'questions', version: 1 }],
    });
    expect(status?.output).toEqual({ run: 2, examples: 6 });
    expect(status?.outcome).toEqual({ run: 2, rows: 6, rejected: 0 });
    expect(status?.progress).toMatchObject({ run: 2, step: 'asking', done: 6, of: 6 });
    expect(status?.scores).toEqual([
      { subject: 0, task: 0, metric: 'ExactMatch', value: 0.5, low: 0, high: 1, n: 3 },
      { subject: 1, task: 0, metric: 'ExactMatch', value: 1, low: 0, high: 1, n: 3 },
    ]);
    const told = await scoresOf();
    expect(told).toMatchObject({
      ...{ run: 2, baseline: 0, currency: 'USD' },
      subjects: [
        {
          ...{ deployment: 'before', model: 'mdl-a', version: 'v1', is_changed: false, differs: [] },
          stamp: {
            ...{ engine: 'vllm', image: expect.stringContaining('@sha256:a'), template_hash: sha256('template') },
            ...{ dtype: 'BF16', gpu: { model: 'H100', count: 1 }, seed: 7 },
          },
        },
        { deployment: 'after', version: 'v2', differs: [] },
      ],
      tasks: [{ name: 'questions', dataset, version: 1, metric: 'ExactMatch', metric_label: 'Exact match' }],
      scores: [
        { subject: 0, task: 0, value: 0.5, cost: '0.000036', prompt_tokens: 30, p99_ms: 50 },
        { subject: 1, task: 0, value: 1, cost: null },
      ],
      comparisons: [{ subject: 1, task: 0, difference: 0.25, low: -0.125, high: 0.5, verdict: 'no_difference' }],
      loads: [{ subject: 0, concurrency: 1, tokens_per_second: 12.5, ttft_p50_ms: 20 }, { subject: 1 }],
    });
  });

  test('examples come row by row, of a task, and those alone in which subjects differ', async () => {
    const dataset = await begun();
    played.change({
      tasks: [
        { dataset, metric: 'F1' },
        { name: 'Names', dataset, metric: 'ExactMatch' },
      ],
    });
    await examplesAre(EXAMPLE_ROWS(2, 2));
    expect(await run(1, 'first')).toBe(0);
    const all = await examplesOf({ size: 4 });
    expect(all).toMatchObject({
      total: 6,
      items: [
        {
          ...{ task: 0, row: 1, prompt: 'task 0, row 1', expected: null, is_different: false },
          answers: [
            { subject: 0, answer: 'answer of 0', score: 0, is_right: false, ms: 12.5, error: null },
            { subject: 1 },
          ],
        },
        { task: 0, row: 2, expected: 'right 2' },
        { task: 0, row: 3, is_different: true, answers: [{ score: 0 }, { score: 1, is_right: true }] },
        { task: 1, row: 1 },
      ],
    });
    expect(await examplesOf({ task: 1, page: 2, size: 2 })).toMatchObject({ total: 3, items: [{ task: 1, row: 3 }] });
    expect(await examplesOf({ only: 'different' })).toMatchObject({
      total: 2,
      items: [
        { task: 0, row: 3 },
        { task: 1, row: 3 },
      ],
    });
    expect(await examplesOf({ page: 9 })).toMatchObject({ total: 6, items: [] });
  });

  test('the lineage has each run that has scores, of the deployments that it asked and the rows that it read', async () => {
    const dataset = await begun();
    const db = database();
    for (const name of ['before', 'after'])
      await recordMade(
        db.sql,
        {
          ...{ organizationId: 'acme', kind: 'deployment', ref: name, version: null, uid: `uid-${name}` },
          ...{ digest: sha256(name), name },
        },
        { from: [], at: AT },
      );
    const lineage = new Lineage({ db, ...{ shown: {}, isRunning: () => false, taskName: () => undefined } });
    const asked = { kind: 'evaluation', id: 'evl-1', direction: 'both', depth: 1 } as const;
    expect(await run(1, 'first')).toBe(0);
    const madeOf = async (caller = acme) => {
      const { nodes, edges } = await lineage.of(caller, asked);
      const called = nodes.map(({ kind, name, version }) => `${kind} ${name} ${version}`);
      return edges.map(({ from, to }) => `${called[from]} → ${called[to]}`).toSorted();
    };
    const ofRun = (number: number) =>
      ['dataset questions 1', 'deployment after null', 'deployment before null'].map(
        (source) => `${source} → evaluation evl-1 ${number}`,
      );
    expect(await madeOf()).toEqual(ofRun(1));
    await expect(madeOf(other)).rejects.toMatchObject({ problem: 'not_found' });
    // Said twice, as when a gateway ends in between: it changes nothing.
    await kept.scored({ taskUid: 'uid-1', run: 1, task: 'evl-1' }, { examples: [], subjects: [] });
    expect(await madeOf()).toEqual(ofRun(1));
    const affected = await lineage.impact(acme, { kind: 'dataset', id: dataset });
    expect(affected.nodes).toMatchObject([{ kind: 'evaluation', id: 'evl-1', version: '1' }]);
    await examplesAre(EXAMPLE_ROWS(1, 2).toReversed());
    expect(await run(2, 'again')).toBe(74);
    expect(await madeOf()).toEqual(ofRun(1));
    await examplesAre(EXAMPLE_ROWS(1, 2));
    expect(await run(3, 'again')).toBe(0);
    expect(await madeOf()).toEqual([...ofRun(1), ...ofRun(3)].toSorted());
  });

  test('an evaluation of another organisation does not exist, and examples are for whoever sees their dataset', async () => {
    const dataset = await begun();
    expect(await run(1, 'first')).toBe(0);
    for (const asking of [
      () => scoresOf(other),
      () => examplesOf({}, other),
      () => call('compareEvaluations', other, { ids: 'evl-1' }),
      () => call('compareEvaluations', acme, { ids: 'evl-1,evl-of-others' }),
    ])
      await expect(asking()).rejects.toMatchObject({ problem: 'not_found' });
    await database().sql.update(datasets).set({ managersOnly: true });
    const member = { ...acme, organization: { ...acme.organization, role: 'member' } } as Caller;
    await expect(examplesOf({}, member)).rejects.toMatchObject({ problem: 'not_found', args: { what: dataset } });
    expect(await examplesOf()).toMatchObject({ total: 3 });
  });

  test('what answers otherwise is asked again, and what answers as before is not', async () => {
    await begun();
    expect(await run(1, 'first')).toBe(0);
    asked.length = 0;
    await version('mdl-a', 'v3');
    await deployed('after', 'mdl-a', 'v3');
    expect(await run(2, 'again')).toBe(0);
    expect(asked.map(({ model }) => model)).toEqual([...['after', 'after', 'after'], 'before', 'after']);
    asked.length = 0;
    expect(await run(3, 'again')).toBe(0);
    expect(asked.map(({ model }) => model)).toEqual(['before', 'after']);
  });

  test('a deployment that changes while it is asked says so, as does what its stamp differs in', async () => {
    await begun();
    await deployed('after', 'mdl-a', 'v2', { extraArgs: ['--dtype=float16'] });
    const setup = deployments.get('after')?.status?.setup as { gpu?: object };
    setup.gpu = { model: 'L40S', count: 2 };
    const running = run(1, 'first');
    await eventuallySays(() => asked.length > 0);
    deployments.delete('before');
    expect(await running).toBe(0);
    expect(await scoresOf()).toMatchObject({
      subjects: [{ is_changed: true }, { is_changed: false, differs: ['dtype', 'gpu'] }],
    });
  });

  test('a run waits for deployments that answer, and names what is not there', async () => {
    await begun({ judge: { deployment: 'judge' } });
    const refusal = () => played.object.status?.conditions?.find(({ type }) => type === INPUTS_LISTED);
    played.object = { ...played.object, status: { run: { seq: 1, cause: 'first' } } } as Evaluation;
    await eventuallySays(() => refusal()?.reason === 'InputsGone' && refusal()?.args?.what === 'the deployment judge');
    await deployed('judge', 'mdl-a', 'v1', { power: 'Stopped' });
    await eventuallySays(() => refusal()?.reason === 'ModelNotServing' && refusal()?.args?.model === 'judge');
    await deployed('judge', 'mdl-a', 'v1');
    await eventuallySays(() => played.object.status?.inputs?.run === 1);
  });

  test('a version that nobody serves is deployed for the run, and asked by the name of its deployment', async () => {
    const refusal = () => played.object.status?.conditions?.find(({ type }) => type === INPUTS_LISTED);
    serving = (args) => ({ reason: 'VersionRefused', args: { ...args, detail: 'no credit' } });
    await begun({ subjects: [{ deployment: 'before' }, { model: 'mdl-a', version: 'v2' }] });
    played.object = { ...played.object, status: { run: { seq: 1, cause: 'first' } } } as Evaluation;
    await eventuallySays(() => refusal()?.reason === 'VersionRefused');
    expect(refusal()?.message).toBe('mdl-a v2 cannot be deployed for this run: no credit');
    serving = ({ version: of }) => ({ deployment: `dep-${of}`, detail: 'Its Pod starts.' });
    await eventuallySays(() => refusal()?.reason === 'VersionStarting');
    await deployed('dep-v2', 'mdl-a', 'v2', { power: 'Stopped' });
    await eventuallySays(() => refusal()?.message === 'mdl-a v2 is being deployed for this run. Its Pod starts.');
    await deployed('dep-v2', 'mdl-a', 'v2');
    expect(await run(1, 'first')).toBe(0);
    expect(new Set(asked.map(({ model }) => model))).toEqual(new Set(['before', 'dep-v2']));
    expect(await scoresOf()).toMatchObject({ subjects: [{ version: 'v1' }, { deployment: 'dep-v2', version: 'v2' }] });
  });

  test('a table of examples that is not in order is refused, and nothing of the run counts', async () => {
    await begun();
    await examplesAre(EXAMPLE_ROWS(1, 2).toReversed());
    expect(await run(1, 'first')).toBe(74);
    expect(played.object.status?.conditions).toContainEqual(
      expect.objectContaining({ type: 'OutputMade', reason: 'OutputRefused' }),
    );
    expect(await scoresOf()).toMatchObject({ run: null, scores: [] });
  });

  test('while it runs, its dataset is not deleted; what it has kept goes with it', async () => {
    const dataset = await begun();
    const running = run(1, 'first');
    await eventuallySays(() => asked.length > 0);
    await expect(stage.all.datasets.remove(acme, dataset)).rejects.toMatchObject({ problem: 'model_in_use' });
    expect(await running).toBe(0);
    const left = async () => {
      const { sql } = database();
      const owned = (await sql.select().from(files)).filter(({ ownerKind }) => ownerKind === 'task');
      return [(await sql.$count(evaluationRuns)) + (await sql.$count(taskUnits)), owned.length] as const;
    };
    const later = new Date(Date.now() + 60_000);
    await kept.forgetOthers(new Set(['uid-1']), later);
    await kept.forgetOthers(new Set(), new Date(0));
    expect(await left()).toEqual([7, 2]);
    await kept.forgetOthers(new Set(['uid-2']), later);
    expect(await left()).toEqual([0, 0]);
    expect(await scores.of({ taskUid: 'uid-1', run: 1 })).toEqual({ scores: [], comparisons: [], loads: [] });
  });

  test('the real evaluator finds what is better, and its examples are read', async () => {
    const program = await pythonWith('trainer-evaluations-1', ['--no-deps', '--only-binary=:all:', ...PACKAGES]);
    const file = join(folder, 'questions.parquet');
    expect(await runCommand(program, ['-c', QUESTIONS, file])).toMatchObject({ code: 0 });
    says = (model, body) => {
      const [, number = '0'] = /What is (\d+) and/.exec(body) ?? [];
      return model === 'after' && number !== '7' ? `It is ${2 * Number(number)}.` : 'I do not know.';
    };
    await begun(
      { performance: { concurrency: [1], promptTokens: 16, answerTokens: 4, seconds: 1 } },
      await readFile(file),
    );
    const paths = ['data-worker', 'trainer'].map((room) => join(import.meta.dirname, '../..', room)).join(':');
    const command = (root: string, ask: string) => [
      ...['env', `PYTHONPATH=${paths}`, program, '-m', 'gantry_trainer', 'evaluate', `--root=${root}`, `--ask=${ask}`],
    ];
    expect(await played.run(1, 'first', command)).toBe(0);
    expect(played.object.status).toMatchObject({
      output: { run: 1, examples: 24 },
      outcome: { run: 1, rows: 24, rejected: 0 },
      scores: [
        { subject: 0, task: 0, metric: 'ExactMatch', value: 0, n: 12 },
        { subject: 1, task: 0, metric: 'ExactMatch', value: 0.916667, n: 12 },
      ],
    });
    expect(await scoresOf()).toMatchObject({
      scores: [{ prompt_tokens: 108, completion_tokens: 36, cost: '0.000144' }, { value: 0.916667 }],
      comparisons: [{ subject: 1, task: 0, better: 11, worse: 0, n: 12, verdict: 'better' }],
      loads: [{ subject: 0, concurrency: 1, failed: 0 }, { subject: 1 }],
    });
    expect(await examplesOf({ only: 'different' })).toMatchObject({ total: 11 });
    expect(await examplesOf({ page: 8, size: 1 })).toMatchObject({
      total: 12,
      items: [
        {
          ...{ task: 0, row: 8, prompt: 'What is 7 and 7?', expected: 'It is 14.', is_different: false },
          answers: [
            { subject: 0, answer: 'I do not know.', score: 0, is_right: false, prompt_tokens: 9, error: null },
            { subject: 1, score: 0 },
          ],
        },
      ],
    });
    expect(await played.run(2, 'again', command)).toBe(0);
    const { done } = JSON.parse(await readFile(`${played.root}/in/recipe.json`, 'utf8'));
    expect((done as { units: string[] }[]).flatMap(({ units }) => units)).toHaveLength(24);
  });

  test('what the evaluator is told is the spec', async () => {
    await begun({ limit: 5, maxTokens: 900, judge: { deployment: 'before', rubric: 'Be kind.' } });
    expect(await run(1, 'first')).toBe(0);
    const recipe = JSON.parse(await readFile(`${played.root}/in/recipe.json`, 'utf8'));
    expect(recipe).toEqual({
      kind: 'Evaluation',
      subjects: [
        { key: '0', model: 'before' },
        { key: '1', model: 'after' },
      ],
      tasks: [
        {
          ...{ key: '0', metric: 'ExactMatch', columns: { prompt: 'question', answer: 'answer' } },
          parts: [`in/tables/0/00000-${sha256(ROWS).slice(0, 32)}.parquet`],
        },
      ],
      judge: { model: 'before', rubric: 'Be kind.' },
      ...{ baseline: '0', limit: 5, seed: 7, maxTokens: 64, maxRejectedPercent: 10, budget: 900, spent: 0, done: [] },
    });
    expect(await filesOf(database().sql, { kind: 'task', id: examplesId({ taskUid: 'uid-1', run: 1 }) })).toHaveLength(
      1,
    );
  });
});
