// What the README promises a newcomer: `make up`, two applies, a running instance; a login, and work that is kept; the same over
// HTTP, typed as it stands there.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { apiUrl } from '../../hack/gateway.ts';
import { layout } from '../../hack/layout.ts';
import { sshDoor } from '../../hack/ssh-door.ts';
import { SshClient } from '../stories/ssh-client.ts';
import { runCommand } from '../support/command.ts';
import { eventually } from '../support/eventually.ts';
import { kubectlWith } from '../support/kubectl.ts';

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
let said = '';

beforeAll(async () => {
  await cluster('down');
  said = await cluster('up');
});
afterAll(() => cluster('down'));

test("the README's two applies end with a running instance", async () => {
  for (const kind of ['organization', 'gpu-instance']) {
    // The organisation's namespace comes a moment after the organisation.
    await eventually(`${kind} applied`, () => kubectl.must(['apply', '-f', `crds/examples/${kind}.yaml`]), PATIENCE_MS);
  }
  await phase('running');
});

test('what is installed over SSH is there again after a hibernation', async () => {
  const home = await mkdtemp(join(tmpdir(), 'gantry-person-'));
  try {
    const person = await SshClient.make(join(home, 'ssh'), sshDoor(here) ?? '');
    const ssh = (command: string) => person.must('ssh', ['-J', 'door', 'root@dev.instances.org-acme.svc', command]);
    await patch({ sshKeys: [{ remark: 'me', publicKey: person.publicKey }] });
    await eventually('the login', () => ssh('true'), PATIENCE_MS);
    await ssh(
      'printf "#!/bin/sh\\necho still here\\n" > /usr/bin/tool; chmod +x /usr/bin/tool; echo kept > /root/note',
    );

    await patch({ power: 'Hibernated' });
    await phase('shutDown');
    await patch({ power: 'Running' });
    await phase('running');
    await eventually('the login to the new run', () => ssh('true'), PATIENCE_MS);
    expect(await ssh('tool; cat /root/note')).toBe('still here\nkept');
  } finally {
    await rm(home, { recursive: true });
  }
});

test('the walk over HTTP ends with an instance that is being stopped', async () => {
  const password = /administrator: admin, password, told this once: (\S+)/.exec(said)?.[1] ?? '';
  expect(said).toMatch(/gateway: http:\/\/127\.0\.0\.1:\d+\/api/);
  const walk = (await codeBelow('## Over HTTP')).replace('login PASSWORD', `login ${password}`);
  // Bash takes a socket at its input for a login from elsewhere, and would read what the machine has for those.
  const { stdout, stderr } = await runCommand('bash', ['--norc', '-uc', walk], { env: { NAME } });
  expect({ stderr, last: stdout.trimEnd().split('\n').at(-1) }).toEqual({
    stderr: '',
    last: expect.stringMatching(/"code":0,.*"phase":"(stopping|stopped)"/),
  });
  expect(stdout).toMatch(/^event: ?resource$/m);
});

test('the password is said once, and what was changed stays through the next up', async () => {
  expect(await cluster('up')).not.toContain('administrator');
  const body = JSON.stringify({ account: 'admin', password: 'Correct-horse-7' });
  const headers = { 'content-type': 'application/json' };
  const { status } = await fetch(`${apiUrl(here)}/auth/v1/login`, { method: 'POST', headers, body });
  expect(status).toBe(200);
});

/** What stands between fences in one part of the README. */
async function codeBelow(head: string): Promise<string> {
  const readme = await readFile('README.md', 'utf8');
  const part = readme.slice(readme.indexOf(`\n${head}\n`) + 1).split('\n## ')[0] ?? '';
  return [...part.matchAll(/^```\n(.*?)^```$/gms)].map(([, code]) => code).join('');
}

const patch = (spec: object) =>
  kubectl.must(['patch', 'gpuinstance', 'dev', '-n', 'org-acme', '--type=merge', '-p', JSON.stringify({ spec })]);

const phase = (wanted: string) =>
  eventually(
    `the instance is ${wanted}`,
    async () => {
      const instance = await kubectl.get<{ status?: { phase?: string } }>('gpuinstance', 'dev', '-n', 'org-acme');
      return instance?.status?.phase === wanted;
    },
    PATIENCE_MS,
  );
