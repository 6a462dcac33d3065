// The README's promises to a newcomer: `make up`, a running instance with kubectl, a login, preserved work, its deletion; the
// same over HTTP; a host. The commands are typed as they are written there.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { SENTENCE } from '../../hack/example-model.ts';
import { apiUrl } from '../../hack/gateway.ts';
import { layout } from '../../hack/layout.ts';
import { sshDoor } from '../../hack/ssh-door.ts';
import { SshClient } from '../stories/ssh-client.ts';
import { runCommand } from '../support/command.ts';
import { eventually } from '../support/eventually.ts';
import { kubectlWith } from '../support/kubectl.ts';
import { linesBelow } from '../support/readme-lines.ts';

const NAME = 'left';
/** A first run, a hibernation with its two saves, or a restore, on a busy machine. */
const PATIENCE_MS = 120_000;
const here = layout(NAME);
const kubectl = kubectlWith(here.kubeconfig);
const cluster = async (command: 'up' | 'down') => {
  const { code, stderr } = await runCommand(process.execPath, ['hack/cluster.ts', command, '--name', NAME]);
  if (code !== 0) throw new Error(stderr);
  return stderr;
};
const ENV = 'eval "$(make -s env)"';
let said = '';

beforeAll(async () => {
  await cluster('down');
  said = await cluster('up');
});
afterAll(() => cluster('down'));

test("the README's lines for kubectl end with a running instance", async () => {
  const { stdout, stderr } = await typed(await linesBelow('### Create it'));
  expect(stderr).toBe('');
  expect(stdout.trimEnd().split('\n').at(-1)).toMatch(/^dev +running +Tesla-T4 /);
});

test('packages installed over SSH are there again after a hibernation', async () => {
  const home = await mkdtemp(join(tmpdir(), 'gantry-person-'));
  try {
    const person = await SshClient.make(join(home, 'ssh'), sshDoor(here) ?? '');
    const ssh = (command: string) => person.must('ssh', ['-J', 'door', 'root@dev.instances.org-acme.svc', command]);
    await patch({ sshKeys: [{ remark: 'me', publicKey: person.publicKey }] });
    await eventually('the login', () => ssh('true'), PATIENCE_MS);
    await ssh(
      'printf "#!/bin/sh\\necho still here\\n" > /usr/bin/tool; chmod +x /usr/bin/tool; echo kept > /root/note',
    );

    const lines = (await linesBelow('### Keep your work')).replace(/^until ssh .*$/m, '');
    expect((await typed(`${ENV}\n${lines}`)).stderr).toBe('');
    await eventually('the login to the new run', () => ssh('true'), PATIENCE_MS);
    expect(await ssh('tool; cat /root/note')).toBe('still here\nkept');
  } finally {
    await rm(home, { recursive: true });
  }
});

test('the console and the administrator come first in the last lines of up', () => {
  const last = said.slice(said.indexOf('console: ')).split('\n');
  expect(last.slice(0, 4)).toEqual([
    expect.stringMatching(/^console: http:\/\/localhost:\d+\/$/),
    expect.stringMatching(/ {2}operators' console: http:\/\/localhost:\d+\/$/),
    expect.stringMatching(/ {2}administrator: admin, password \S+ \(shown only once\)$/),
    expect.stringMatching(/ {2}cluster left is up: KUBECONFIG=/),
  ]);
  expect(said).toMatch(/gateway: http:\/\/127\.0\.0\.1:\d+\/api/);
});

test("the README's lines delete the instance", async () => {
  const { stdout, stderr } = await typed(`${ENV}\n${await linesBelow('### Delete it')}`);
  expect(stderr).toBe('');
  expect(stdout).toMatch(/gpuinstance\.gantry\.dev "dev" deleted/);
  expect(await kubectl.get('gpuinstance', 'dev', '-n', 'org-acme')).toBeUndefined();
});

test('the walk over HTTP starts an instance, stops it and deletes it', async () => {
  const password = /administrator: admin, password (\S+)/.exec(said)?.[1] ?? '';
  const walk = (await linesBelow('## Over HTTP')).replace('login admin PASSWORD', `login admin ${password}`);
  const { stdout, stderr } = await typed(walk);
  expect(stderr).toBe('');
  const lines = stdout.split('\n');
  const seen = ['running', 'stopping', 'stopped', 'shuttingDown', 'shutDown'].map((phase) => lines.lastIndexOf(phase));
  expect(seen).not.toContain(-1);
  expect(seen).toEqual(seen.toSorted((a, b) => a - b));
  expect(stdout).toMatch(/^event: ?resource$/m);
});

test('the example model is kept, served and called by the lines for it, and its tokens cost', async () => {
  const before = [
    ENV,
    'export GANTRY_TOKEN="$(hack/api login admin Correct-horse-7)"',
    'org="$(hack/api GET /auth/v1/organization/me --field org_id)"',
  ];
  const walk = await Promise.all(['### Keep a model', '### Serve it', '### Call a model'].map(linesBelow));
  const { stdout, stderr } = await typed([...before, ...walk].join('\n'));
  expect(stderr).toBe('');
  expect(stdout).toMatch(/modeldeployment\.gantry\.dev\/chat condition met/);
  expect(stdout).toContain(SENTENCE);
  const tokens = Number(/total_tokens: (\d+)/.exec(stdout)?.[1]);
  const { amount } = JSON.parse(stdout.slice(stdout.lastIndexOf('{\n'))) as { amount: string };
  expect(Number(amount)).toBeCloseTo((tokens * 500) / 1_000_000, 6);
});

test('a host is active once its credit is granted', async () => {
  const login = 'export GANTRY_TOKEN="$(hack/api login admin Correct-horse-7)"';
  const { stdout, stderr } = await typed(`${ENV}\n${login}\n${await linesBelow('### Rent a host')}`);
  expect(stderr).toBe('');
  expect(stdout).toMatch(/gpuhost\.gantry\.dev\/big condition met/);
});

test('the password is said once, and what was changed stays through the next up', async () => {
  expect(await cluster('up')).not.toContain('administrator');
  const body = JSON.stringify({ account: 'admin', password: 'Correct-horse-7' });
  const headers = { 'content-type': 'application/json' };
  const { status } = await fetch(`${apiUrl(here)}/auth/v1/login`, { method: 'POST', headers, body });
  expect(status).toBe(200);
});

/** Bash takes a socket at its input for a login from elsewhere, and would read what the machine has for those. */
const typed = (lines: string) => runCommand('bash', ['--norc', '-uc', lines], { env: { NAME } });

const patch = (spec: object) =>
  kubectl.must(['patch', 'gpuinstance', 'dev', '-n', 'org-acme', '--type=merge', '-p', JSON.stringify({ spec })]);
