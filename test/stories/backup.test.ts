// The drill: money, a disk, an instance that runs and one that was released are backed up into a bucket; the database and the
// objects are lost; a restore brings them back, and what still runs is not disturbed.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { WALLET_ROUTES } from '@gantry/contract/areas/billing/wallet.ts';
import { ACCOUNT_ROUTES } from '@gantry/contract/areas/identity/account.ts';
import { REAL_AUTH_ROUTES } from '@gantry/contract/areas/identity/real-auth.ts';
import { KIND_ROUTES } from '@gantry/contract/http/kind-routes.ts';
import { KINDS } from '@gantry/contract/kinds.ts';
import { ANNOTATION } from '@gantry/contract/names.ts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { gatewayFlags } from '../../hack/gateway.ts';
import { type Ended, runCommand } from '../support/command.ts';
import { eventually } from '../support/eventually.ts';
import { GatewayProcess } from '../support/gateway.ts';
import { type Mailbox, openMailbox } from '../support/mail-sink.ts';
import { type ObjectStore, startObjectStore } from '../support/object-store.ts';
import { type PostgresServer, startPostgres } from '../support/postgres-server.ts';
import { firstAdministrator, type Person, signUp } from '../support/sign-up.ts';
import { soakTest } from '../support/soak.ts';
import type { Instance } from './instance.ts';
import { SMALL, setStage, type Tenant } from './stage.ts';

const stage = setStage('--probe-every=24h', '--credit-gate=required');
const PATIENCE_MS = 120_000;
const OPERATOR_ENDS_MS = 30_000;
const PASSPHRASE = 'nobody guesses this one';

let postgres: PostgresServer;
let databaseUrl: string;
let mailbox: Mailbox;
let store: ObjectStore;
let gateway: GatewayProcess;
let flags: string[];
let ann: Person;
let org: Tenant;
let dev: Instance;
let released: Instance;
/** As it was before everything was lost. */
let podBefore: { uid: string | undefined; startedAt: string | undefined };

beforeAll(async () => {
  const { folder, cluster, admin, kubectl } = stage();
  mailbox = await openMailbox();
  postgres = await startPostgres();
  databaseUrl = await postgres.createDatabase('gantry');
  store = await startObjectStore();
  const keyFile = join(folder, 'backup-key');
  await writeFile(keyFile, `${PASSPHRASE}\n`, { mode: 0o600 });
  await kubectl.must(['apply', '-f', 'crds/backup']);
  flags = [
    ...(await gatewayFlags(cluster)),
    `--backup-bucket=${store.bucket}`,
    `--backup-endpoint=${store.endpoint}`,
    `--backup-credentials-file=${store.credentialsFile}`,
    `--backup-key-file=${keyFile}`,
    '--backup-schedule=',
  ];
  gateway = await GatewayProcess.start(admin, {
    flags: [...flags, '--billing=on', `--smtp-url=${mailbox.url}`],
    databaseUrl,
  });
});
afterAll(async () => {
  await gateway?.close();
  await store?.end();
  await postgres?.end();
  await mailbox?.close();
});

/** A command of the gateway, with the rights of the cluster's administrator, who alone restores. */
const command = (...words: string[]): Promise<Ended> => {
  const at = words.findIndex((word) => word.startsWith('--'));
  const [names, own] = at === -1 ? [words, []] : [words.slice(0, at), words.slice(at)];
  const common = [`--database-url=${databaseUrl}`, `--kubeconfig=${stage().cluster.kubeconfig}`];
  return runCommand(process.execPath, ['api/src/main.ts', ...names, ...common, ...flags, ...own]);
};

/** Its output. Throws with all of it if the command failed. */
const must = async (...words: string[]): Promise<string> => {
  const { code, stdout, stderr } = await command(...words);
  const said = `${stdout}${stderr}`.trim();
  // The closing table shows the first line.
  if (code !== 0) throw new Error(`${words.join(' ')}: ${code}, ${said.split('\n').at(-1)}\n${said}`);
  return stdout;
};

const wallet = () => ann.client.must(WALLET_ROUTES.balances);

test('a person has credit, a disk, an instance that runs, and one that was released', async () => {
  const staff = await firstAdministrator(gateway);
  ann = await signUp(gateway.client, mailbox, 'ann_backup');
  org = stage().adopt((await ann.client.must(ACCOUNT_ROUTES.getMe)).org_id);
  await ann.organizationReady();
  const person = {
    type: 1,
    name: 'Ann',
    id_card: '11010519491231002X',
    phone: '13800000000',
    commitment: true,
  } as const;
  const { id } = await ann.client.must(REAL_AUTH_ROUTES.submitRealAuth, { body: person });
  await staff.client.must(REAL_AUTH_ROUTES.auditRealAuth, { params: { id }, body: { result: 1, reason: 'seen' } });
  await eventually('the credit is there', async () => (await wallet()).credits === '100.00', PATIENCE_MS);

  await ann.client.must(KIND_ROUTES.dataDisk.create, { body: { displayName: 'data', sizeGi: 1 } });
  const { image = '', cores = 0, memoryGi = 0, homeDisk } = SMALL;
  const make = async (displayName: string) => {
    const body = { displayName, image, cores, memoryGi, ...(homeDisk && { homeDisk }) };
    const made = org.known((await ann.client.must(KIND_ROUTES.gpuInstance.create, { body })).id);
    await made.isThere();
    await made.reaches('running', PATIENCE_MS);
    return made;
  };
  dev = await make('dev');
  await dev.sh('echo kept > /root/notes');
  released = await make('gone');
  await released.wish({ power: 'ShutDown' });
  await released.reaches('shutDown', PATIENCE_MS);
  await released.release();
  await released.isGone();
});

/** An object that an earlier story gave up cannot be restored into a namespace that is on its way out. */
const nothingIsBeingDeleted = () =>
  stage().organizations.until(
    () => 'what earlier stories left is gone',
    () =>
      stage()
        .organizations.living()
        .every(({ metadata }) => !metadata.deletionTimestamp) || undefined,
    PATIENCE_MS,
  );

test('a backup lies in the bucket, and everybody who lacks its key reads nothing in it', async () => {
  await nothingIsBeingDeleted();
  expect(await must('backup')).toMatch(
    /^\d{4}-.*Z-[0-9a-f]{4} \d+ bytes, \d+ rows, \d+ objects, .* is in the bucket$/m,
  );
  expect(await must('backups', 'list')).toMatch(/^1 backups$/m);
  expect(await must('backups', 'verify')).toMatch(/ is whole: \d+ rows/);
  const otherKey = join(stage().folder, 'other-key');
  await writeFile(otherKey, 'another one that is long enough');
  const refused = await command('backups', 'verify', `--backup-key-file=${otherKey}`);
  expect(refused).toMatchObject({ code: 1, stdout: expect.stringContaining('was sealed by another key') });
});

test('database and objects are lost, and the container runs on', async () => {
  podBefore = { uid: dev.pod().metadata.uid, startedAt: dev.times().startedAt };
  await gateway.terminate();
  await stage().operator.terminate(OPERATOR_ENDS_MS);
  await lose();
  expect(await stage().kubectl.must(['get', 'gpuinstances', '--all-namespaces', '--output=name'])).toBe('');
  const pod = await stage().kubectl.get<{ metadata: { uid: string } }>('pod', dev.podName(1), '-n', org.namespace);
  expect(pod?.metadata.uid).toBe(podBefore.uid);
});

/** A new database; and all objects of ours, but not what was made for them. */
async function lose(): Promise<void> {
  const admin = new pg.Client({ connectionString: databaseUrl.replace(/[^/]*$/, 'postgres') });
  await admin.connect();
  await admin.query('DROP DATABASE gantry WITH (FORCE)');
  await admin.query('CREATE DATABASE gantry');
  await admin.end();
  const { kubectl } = stage();
  for (const { plural, scope } of Object.values(KINDS)) {
    const all = scope === 'Cluster' ? [] : ['--all-namespaces'];
    const { items } = (await kubectl.get<{ items: { metadata: { name: string; namespace?: string } }[] }>(
      `${plural}.gantry.dev`,
      ...all,
    )) ?? { items: [] };
    for (const { metadata } of items) {
      const where = metadata.namespace === undefined ? [] : ['--namespace', metadata.namespace];
      const target = [`${plural}.gantry.dev`, metadata.name, ...where];
      const annotations = { [ANNOTATION.force]: metadata.name, [ANNOTATION.confirmDelete]: metadata.name };
      const patch = JSON.stringify({ metadata: { finalizers: null, annotations } });
      // One of an earlier story may be on its way out, and goes with its finalizers.
      const patched = await kubectl.run(['patch', ...target, '--type=merge', '--patch', patch]);
      if (patched.code !== 0 && !patched.stderr.includes('NotFound')) throw new Error(patched.stderr);
      await kubectl.must(['delete', ...target, '--cascade=orphan', '--wait=true', '--ignore-not-found']);
    }
  }
}

test('a restore brings both back, with books that prove', async () => {
  const restored = await must('restore', '--from=latest');
  expect(restored).toMatch(/^restored \d+ rows and \d+ objects; 0 objects were there already; [1-9]\d* running Pods/m);
  expect(restored).toMatch(/^\d+ transfers, .* 0 faults$/m);
  expect(restored).not.toMatch(/ is gone| was refused/);
});

test('the same container is the instance again, with its files, and is billed on', async () => {
  await stage().operator.restart();
  await gateway.restart();
  await ann.login();
  expect((await wallet()).credits).toMatch(/^(100\.00|99\.\d+)$/);
  dev.fromNow();
  await dev.becomes('running again', ({ status }) => status.phase === 'running', PATIENCE_MS);
  await dev.becomes(
    'allowed credit',
    ({ metadata, status }) =>
      status.conditions?.some(
        (one) =>
          one.type === 'CreditReserved' && one.status === 'True' && one.observedGeneration === metadata.generation,
      ) ?? false,
    PATIENCE_MS,
  );
  expect(dev.now.status?.run?.seq).toBe(1);
  expect(dev.pod(1).metadata.uid).toBe(podBefore.uid);
  expect(dev.times(1).startedAt).toBe(podBefore.startedAt);
  expect(await dev.sh('cat /root/notes')).toBe('kept');
  await dev.wish({ power: 'Stopped' });
  await dev.reaches('stopped', PATIENCE_MS);
  await eventually(
    'all that has ended is posted',
    async () => (dev.last.status.credit?.postedSeq ?? 0) >= (dev.last.status.intervals?.at(-1)?.seq ?? 1) - 1,
    PATIENCE_MS,
  );
  expect(await must('books', 'verify')).toMatch(/^\d+ transfers, .* 0 faults$/m);
});

soakTest(
  'into an empty cluster the instance comes back without its home, and the report says what is lost',
  async () => {
    const { kubectl, operator } = stage();
    await dev.wish({ power: 'Running' });
    await dev.reaches('running', PATIENCE_MS);
    const run = dev.now.status?.run?.seq ?? 0;
    await must('backup');
    await gateway.terminate();
    await operator.terminate(OPERATOR_ENDS_MS);
    await lose();
    const { namespace } = org;
    const unmetered = JSON.stringify({ metadata: { finalizers: null } });
    await kubectl.must(['patch', 'pod', dev.podName(run), '-n', namespace, '--type=merge', '--patch', unmetered]);
    await kubectl.must(['annotate', 'namespace', namespace, `${ANNOTATION.confirmDelete}=${namespace}`]);
    await kubectl.must(['delete', 'namespace', namespace, '--timeout=120s']);
    dev.fromNow();
    const restored = await must('restore');
    expect(restored).toContain(`${namespace}/${dev.podName(run)} is gone: what ran there starts anew`);
    expect(restored).toMatch(/-home is gone, with what was on the volume/);
    expect(restored).toMatch(/^\d+ transfers, .* 0 faults$/m);
    await operator.restart();
    await gateway.restart();
    // A home that is lost is not replaced before its tenant says so.
    await dev.becomes('without its home', ({ status }) => status.reason === 'HomeLost', PATIENCE_MS);
    await dev.wish({ rebootCount: 1 });
    await dev.becomes('in its next run', ({ status }) => (status.run?.seq ?? 0) > run && status.phase === 'running');
    expect(await dev.sh('ls /root')).not.toContain('notes');
  },
  600_000,
);
