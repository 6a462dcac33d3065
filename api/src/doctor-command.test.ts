// `gantry doctor` as people and programs read it: the table, the document, the exit code, and its options.
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@gantry/kube/clock.ts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { memoryDatabase } from '../../test/support/database.ts';
import { openMailbox } from '../../test/support/mail-sink.ts';
import { databaseByOptions, surroundingsOf } from './areas/doctor/surroundings.ts';
import { answersTo } from './commands.ts';
import { runDoctor } from './doctor-command.ts';
import { readDoctorConfig } from './platform/config.ts';
import { tryMailServer } from './platform/mail/send-mail.ts';
import { openPrivateDoor } from './platform/private-door.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gantry-doctor-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** An API server that says nothing but its version. */
async function emptyCluster(minor: string) {
  const server = createServer((req, res) => {
    if (req.url === '/version') res.end(JSON.stringify({ major: '1', minor, gitVersion: `v1.${minor}.0` }));
    else if (req.url?.includes('/nodes')) res.end(JSON.stringify({ metadata: {}, items: [] }));
    else res.writeHead(404).end(JSON.stringify({ kind: 'Status', message: 'nothing here' }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const kubeconfig = join(folder, `kubeconfig-${minor}`);
  const { port } = server.address() as AddressInfo;
  await writeFile(
    kubeconfig,
    JSON.stringify({
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': 'x',
      contexts: [{ name: 'x', context: { cluster: 'x', user: 'x' } }],
      clusters: [{ name: 'x', cluster: { server: `http://127.0.0.1:${port}`, 'insecure-skip-tls-verify': true } }],
      users: [{ name: 'x', user: { token: 't' } }],
    }),
  );
  return {
    kubeconfig,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function run(flags: string[]) {
  const config = readDoctorConfig(flags, {});
  if (config === 'help') throw new Error('it was not asked for help');
  const said: string[] = [];
  const code = await runDoctor(config, { say: (line) => void said.push(line), signal: new AbortController().signal });
  return { code, said };
}

test('the table has each check with its evidence and what to do, counts them, and ends with 2 where there are problems', async () => {
  const cluster = await emptyCluster('32');
  const { code, said } = await run([`--kubeconfig=${cluster.kubeconfig}`, '--before-install']);
  cluster.close();
  const text = said.join('\n');
  expect(text).toMatch(
    /^Problem +Kubernetes version +The API server is v1\.32\.0, and Gantry needs Kubernetes 1\.33 or newer\.\n +→ Upgrade/m,
  );
  expect(text).toMatch(/^Not applicable +Kinds +This can be checked once Gantry is installed\.$/m);
  expect(text).toMatch(/^Inconclusive +Clocks +No real node is ready\.$/m);
  expect(said.at(-1)).toMatch(/^\d+ × Problem, \d+ × Inconclusive/);
  expect(code).toBe(2);
});

test('the document has the same for programs', async () => {
  const cluster = await emptyCluster('34');
  const { said } = await run([`--kubeconfig=${cluster.kubeconfig}`, '--before-install', '--json']);
  cluster.close();
  const { finding, beforeInstall, checks } = JSON.parse(said.join('\n'));
  expect([finding, beforeInstall]).toEqual(['problem', true]);
  expect(checks[0]).toMatchObject({
    ...{ id: 'kubernetesVersion', title: 'Kubernetes version', finding: 'ok' },
    found: [{ reason: 'versionFits', args: { version: 'v1.34.0' }, evidence: 'The API server is v1.34.0.', todo: '' }],
  });
});

test('a cluster that cannot be reached is one that could not be told, check by check', async () => {
  const cluster = await emptyCluster('33');
  cluster.close();
  const { code, said } = await run([`--kubeconfig=${cluster.kubeconfig}`]);
  expect(said[0]).toMatch(/^Inconclusive +Kubernetes version +The check failed: .*ECONNREFUSED/);
  expect(code).toBe(1);
});

test('it needs no key and no database, takes its flags without a value, and refuses others', () => {
  expect(readDoctorConfig(['--json'], {})).toMatchObject({ json: true, beforeInstall: false, databaseUrl: '' });
  expect(readDoctorConfig([], { DATABASE_URL: 'postgres://x' })).toMatchObject({ databaseUrl: 'postgres://x' });
  expect(() => readDoctorConfig(['--port=1'], {})).toThrow(/--port/);
  expect(readDoctorConfig(['--help'], {})).toBe('help');
});

const NO_BACKUPS = {
  ...{ backupBucket: '', backupEndpoint: '', backupRegion: 'us-east-1', backupPrefix: '' },
  ...{ backupCredentialsFile: '', backupKeyFile: '', platformKeyFile: '' },
};

test('the gateway with the embedded database is asked for its facts; without one that runs it says so', async () => {
  const db = await memoryDatabase();
  const dataDir = join(folder, 'data');
  const close = await openPrivateDoor(dataDir, answersTo(db, NO_BACKUPS, { as: unused as never }));
  const facts = await databaseByOptions({ databaseUrl: '', dataDir }, systemClock)?.();
  await close();
  await db.close();
  expect(facts).toMatchObject({ kind: 'pglite', version: expect.stringMatching(/^\d+/) });
  expect(facts?.commitMs).toHaveLength(20);
  expect(Math.min(...(facts?.commitMs ?? []))).toBeGreaterThan(0);
  await expect(databaseByOptions({ databaseUrl: '', dataDir }, systemClock)?.()).rejects.toThrow(/no gateway runs/);
  expect(databaseByOptions({ databaseUrl: '', dataDir: '' }, systemClock)).toBeUndefined();
});

test('a mail server that answers is told from one that does not; no login is in what is shown', async () => {
  const mailbox = await openMailbox();
  await expect(tryMailServer(mailbox.url)).resolves.toBeUndefined();
  await mailbox.close();
  await expect(tryMailServer(mailbox.url)).rejects.toThrow(/ECONNREFUSED/);
  const url = 'smtps://post:secret@mail.example:465';
  const { mail } = around({ smtpUrl: url, ...unset, probeImage: 'x' });
  expect(mail?.server).toBe('mail.example:465');
});

test('Prometheus is asked how many series there are', async () => {
  const asked: string[] = [];
  const server = createServer((req, res) => {
    asked.push(`${req.method} ${req.url}`);
    res.end(JSON.stringify({ status: 'success', data: { resultType: 'vector', result: [{ value: [1, '8'] }] } }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const prometheusUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/prometheus`;
  const { countSeries } = around({ smtpUrl: '', ...unset, prometheusUrl, probeImage: 'x' });
  expect(await countSeries?.('DCGM_FI_DEV_GPU_UTIL')).toBe(8);
  expect(asked).toEqual(['POST /prometheus/api/v1/query']);
  server.closeAllConnections();
  server.close();
  await expect(countSeries?.('x')).rejects.toThrow();
});

const unused = async () => {
  throw new Error('the cluster is not asked');
};
const unset = {
  vectorsUrl: '',
  prometheusUrl: '',
  prometheusTokenFile: '',
  prometheusCaFile: '',
  prometheusCertFile: '',
  prometheusKeyFile: '',
};
const around = (config: Parameters<typeof surroundingsOf>[0]) =>
  surroundingsOf(config, { client: undefined as never, clock: systemClock, isInstalled: false, database: undefined });
