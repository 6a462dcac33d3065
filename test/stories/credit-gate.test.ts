// --credit-gate=required, with a test that plays billing: nothing billable is created before credit is reserved for exactly this
// spec, running instances keep running, and nobody touches the tenant's spec when the money is gone.
import type { Job } from '@gantry/contract/kinds/job.ts';
import { job } from '@gantry/contract/kinds/job.ts';
import { beforeAll, expect, test } from '@jest/globals';
import { mustCallApi } from '../../hack/api-call.ts';
import { eventually } from '../support/eventually.ts';
import { meteredRuns } from '../support/metered-runs.ts';
import { Billing, NUMBERS } from './billing.ts';
import type { Instance } from './instance.ts';
import { expectInOrder, intervalOf } from './metering.ts';
import { SMALL, setStage, type Tenant } from './stage.ts';
import { Tracker } from './tracked.ts';

const stage = setStage('--credit-gate=required');
let acme: Tenant;
let billing: Billing;
let bystanders = 0;
beforeAll(async () => {
  acme = await stage().organization('credit');
  billing = new Billing(stage().cluster);
});

/** The operator looks at things in the order of one watch: whatever was written before is decided when this resolves. */
async function operatorHasCaughtUp(): Promise<void> {
  const bystander = await acme.instance(`bystander-${++bystanders}`);
  await bystander.becomes('waiting', ({ status }) => status.reason === 'WaitingForCredit');
}

const madeAt = ({ metadata }: { metadata: { creationTimestamp?: string } }) =>
  Date.parse(metadata.creationTimestamp ?? '');
/** Kubernetes counts in whole seconds. */
const thisSecond = () => Math.floor(Date.now() / 1000) * 1000;

test.concurrent('nothing is made without a reservation, with one for an older wish, or with an expired one', async () => {
  const dev = await acme.instance('poor');
  const waiting = await dev.becomes('waiting', ({ status }) => status.reason === 'WaitingForCredit');
  expect(waiting.status).toMatchObject({ phase: 'preparing', message: 'Waiting for billing to reserve credit.' });

  await dev.wish({ cores: 0.2 });
  await billing.reserves(dev, { generation: 1 });
  await operatorHasCaughtUp();
  await billing.reserves(dev, { forMs: -1000 });
  await operatorHasCaughtUp();

  const reservedAt = thisSecond();
  await billing.reserves(dev);
  await dev.reaches('running');
  expect(madeAt(dev.pod(1))).toBeGreaterThanOrEqual(reservedAt);
  expect(madeAt(await homeOf(dev))).toBeGreaterThanOrEqual(reservedAt);
});

test.concurrent('what runs runs on when its reservation has expired, and through an edit until that is paid for', async () => {
  const dev = await acme.instance('steady');
  await billing.reserves(dev);
  await dev.reaches('running');
  await billing.reserves(dev, { forMs: -1000 });
  await operatorHasCaughtUp();
  await dev.wish({ cores: 0.2 });
  const unpaid = await dev.reaches('update');
  expect(unpaid.status).toMatchObject({ reason: 'WaitingForCredit', health: 'normal', run: { seq: 1 } });
  await operatorHasCaughtUp();
  expect(dev.pod(1).spec).not.toHaveProperty('activeDeadlineSeconds');
  await billing.reserves(dev);
  expect((await dev.reaches('running')).status.run).toMatchObject({ seq: 2, cause: 'update' });
});

test.concurrent('out of credit it hibernates with its wish untouched; paid again, it is restored, also by another operator', async () => {
  const dev = await acme.instance('broke');
  await billing.reserves(dev);
  const { metadata } = await dev.reaches('running');
  await dev.sh('echo kept > /root/notes');

  await billing.findsNoCredit(dev);
  await dev.reaches('hibernating');
  const resting = await dev.reaches('shutDown');
  expect(resting.status).toMatchObject({
    reason: 'OutOfCredit',
    message: `The organisation is out of credit: ${NUMBERS}`,
    settledPower: 'Hibernated',
  });
  expect(resting.spec.power).toBe('Running');
  expect(resting.metadata.generation).toBe(metadata.generation);
  expect(meteredRuns(resting)).toEqual([await intervalOf(dev, 1)]);

  stage().operator.kill();
  await billing.reserves(dev);
  await stage().operator.restart();
  await dev.reaches('restoring');
  const restored = await dev.reaches('running');
  expect(restored.status.run).toMatchObject({ seq: 2, cause: 'restore' });
  expect(await dev.sh('cat /root/notes')).toBe('kept');
  expect(meteredRuns(restored)).toEqual([await intervalOf(dev, 1), await intervalOf(dev, 2)]);
  expectInOrder(restored);
});

test.concurrent('a job waits for its credit outside the queue; out of credit it rests with its wish untouched, and begins again when paid', async () => {
  const jobs = await Tracker.start<Job>(stage(), job);
  try {
    const { namespace } = acme;
    const command = ['sh', '-c', 'trap "exit 143" TERM; sleep 600 & wait'];
    const sweep = await jobs.make(namespace, 'sweep', { image: SMALL.image, cores: 0.1, memoryGi: 0.0625, command });
    const billed = () => ({
      path: `${jobs.pathOf(namespace)}/${sweep.name}`,
      now: sweep.last,
      generation: sweep.last.metadata.generation ?? 0,
    });
    const waiting = await sweep.becomes('waiting', ({ status }) => status.reason === 'WaitingForCredit');
    expect(waiting.status.phase).toBe('preparing');
    await billing.findsNoCredit(billed());
    const refused = await sweep.becomes('refused', ({ status }) => status.reason === 'OutOfCredit');
    expect(refused.status.phase).toBe('preparing');
    await operatorHasCaughtUp();
    expect(await stage().kubectl.must(['get', 'jobs.batch', '-n', namespace, '-o', 'name'])).toBe('');

    await billing.reserves(billed());
    const running = await sweep.reaches('running');
    await billing.findsNoCredit(billed());
    const resting = await sweep.reaches('suspended');
    expect(resting.status).toMatchObject({
      reason: 'OutOfCredit',
      message: `The organisation is out of credit: ${NUMBERS}`,
    });
    expect(resting.metadata.generation).toBe(running.metadata.generation);
    expect(resting.status.intervals?.every(({ to }) => to !== undefined)).toBe(true);

    await billing.reserves(billed());
    expect((await sweep.reaches('running')).status.run).toMatchObject({ seq: 2, cause: 'resume' });
  } finally {
    jobs.stop();
  }
});

test.concurrent('fifty runs that nobody billed hold back the next; what is posted makes room', async () => {
  // Once it did run: who was billed and has no home has lost one.
  const dev = await acme.instance('unposted');
  await billing.reserves(dev);
  await dev.reaches('running');
  await dev.wish({ power: 'Stopped' });
  await dev.reaches('stopped');
  await ranFiftyTimes(dev);
  await dev.wish({ power: 'Running' });
  await billing.reserves(dev);
  const held = await dev.becomes('held back', ({ status }) => status.reason === 'UsageNotPosted');
  expect(held.status.message).toBe('Fifty runs are waiting to be billed; the next starts once they are.');
  await billing.reserves(dev, { postedSeq: 20 });
  await dev.reaches('running');
  const again = await dev.becomes('billed again', (seen) => meteredRuns(seen).at(-1)?.to === undefined);
  expectInOrder(again);
  expect(again.status.intervals).toHaveLength(50);
});

test('an organisation without credit begins nothing and hears why; it may stop and delete; paid, all is as before', async () => {
  const poor = await stage().organization('closed');
  const dev = await poor.instance('dev');
  await billing.reserves(dev);
  await dev.reaches('running');
  await billing.saysInCredit(poor.id, false);
  const { kubectl } = stage();
  const wish = {
    apiVersion: dev.now.apiVersion,
    kind: 'GpuInstance',
    metadata: { name: 'new', namespace: poor.namespace },
  };
  const applied = () => kubectl.run(['apply', '-f', '-'], { ...wish, spec: dev.now.spec });
  const refusal = await eventually('the namespace is closed', async () => {
    const { code, stderr } = await applied();
    if (code === 0) await kubectl.must(['delete', 'gpuinstance', 'new', '-n', poor.namespace, '--wait=false']);
    return code === 0 ? undefined : stderr;
  });
  expect(refusal).toContain(
    `You cannot start anything that costs money, but you can still stop and delete. The organisation is out of credit: ${NUMBERS}`,
  );
  // Not by a Pod of one's own, nor by one that is made for somebody.
  const tenants = { priorityClassName: 'gantry-tenant', containers: [{ name: 'a', image: 'a/b:1' }] };
  const metadata = { name: 'stray', namespace: poor.namespace };
  const stray = await kubectl.run(['create', '-f', '-'], { apiVersion: 'v1', kind: 'Pod', metadata, spec: tenants });
  expect(stray.stderr).toMatch(/quota: credit/);

  expect(dev.now.status?.phase).toBe('running');
  await dev.wish({ power: 'Stopped' });
  await dev.reaches('stopped');
  await billing.saysInCredit(poor.id, true);
  await eventually('the namespace is open', async () => {
    const quota = await kubectl.get('resourcequota', 'credit', '-n', poor.namespace);
    return quota === undefined;
  });
  await eventually('it may start', () => dev.wish({ power: 'Running' }).then(() => true));
  await billing.reserves(dev);
  await dev.reaches('running');
});

test('an instance without a price, or not in the plan, waits and says so; a running one goes on', async () => {
  const dev = await acme.instance('unpriced');
  await billing.refuses(dev, 'NoPrice', 'cpu');
  const waiting = await dev.becomes('waiting', ({ status }) => status.reason === 'NoPrice');
  expect(waiting.status).toMatchObject({ phase: 'preparing', message: 'It has no price yet: cpu' });
  await billing.reserves(dev);
  await dev.reaches('running');
  await billing.refuses(dev, 'PlanLimit', '1 of 1');
  await operatorHasCaughtUp();
  expect(dev.now.status?.phase).toBe('running');
});

test('it is gone when billing lets go of it: until then it is released, with every end written down', async () => {
  const dev = await acme.instance('held');
  await billing.reserves(dev);
  await dev.reaches('running');
  await dev.setFinalizers([...(dev.now.metadata.finalizers ?? []), 'gantry.dev/billing']);
  await dev.wish({ power: 'ShutDown' });
  await dev.reaches('shutDown');
  await dev.release();
  const { status, metadata } = await dev.reaches('released');
  expect(status.intervals?.at(-1)).toMatchObject({ to: expect.any(String) });
  await dev.becomes('let go', (seen) => seen.metadata.finalizers?.length === 1);
  expect(metadata.deletionTimestamp).toBeDefined();
  await dev.setFinalizers([]);
  await dev.isGone();
});

/** Fifty lives would take a quarter of an hour: their intervals are written for the operator, as if it had. */
async function ranFiftyTimes(dev: Instance): Promise<void> {
  const { apiVersion, kind, metadata, status } = dev.now;
  const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString().replace('.000', '');
  const intervals = Array.from({ length: 50 }, (_, run) => ({
    seq: run + 1,
    subjectUID: `pod-${run}`,
    from: at(2 * run),
    to: at(2 * run + 1),
    uses: [{ resource: 'cpu', quantity: 0.1 }],
  }));
  const body = { apiVersion, kind, metadata: { name: metadata.name }, status: { ...status, intervals } };
  const path = `${dev.path}/status?fieldManager=gantry-operator&force=true`;
  await mustCallApi(stage().cluster, { method: 'PATCH', path, contentType: 'application/apply-patch+yaml', body });
  await dev.becomes('billed for fifty runs', (seen) => seen.status.intervals?.length === 50);
}

async function homeOf(dev: Instance): Promise<{ metadata: { creationTimestamp?: string } }> {
  const path = `/api/v1/namespaces/${dev.namespace}/persistentvolumeclaims/${dev.name}-home`;
  return JSON.parse((await mustCallApi(stage().cluster, { path })).body);
}
