// What the README promises a newcomer: `make up`, two applies, a running instance; a login, and work that is kept.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { layout } from '../../hack/layout.ts';
import { run } from '../../hack/run.ts';
import { sshDoor } from '../../hack/ssh-door.ts';
import { SshClient } from '../stories/ssh-client.ts';
import { eventually } from '../support/eventually.ts';
import { kubectlWith } from '../support/kubectl.ts';

const NAME = 'left';
const here = layout(NAME);
const kubectl = kubectlWith(here.kubeconfig);
const cluster = (command: 'up' | 'down') => run(process.execPath, ['hack/cluster.ts', command, '--name', NAME]);

beforeAll(async () => {
  await cluster('down');
  await cluster('up');
});
afterAll(() => cluster('down'));

test("the README's two applies end with a running instance", async () => {
  for (const kind of ['organization', 'gpu-instance']) {
    // The organisation's namespace comes a moment after the organisation.
    await eventually(`${kind} applied`, () => kubectl.must(['apply', '-f', `crds/examples/${kind}.yaml`]));
  }
  await phase('running');
});

test('what is installed over SSH is there again after a hibernation', async () => {
  const home = await mkdtemp(join(tmpdir(), 'gantry-person-'));
  try {
    const person = await SshClient.make(join(home, 'ssh'), sshDoor(here) ?? '');
    const ssh = (command: string) => person.must('ssh', ['-J', 'door', 'root@dev.instances.org-acme.svc', command]);
    await patch({ sshKeys: [{ remark: 'me', publicKey: person.publicKey }] });
    await eventually('the login', () => ssh('true'));
    await ssh(
      'printf "#!/bin/sh\\necho still here\\n" > /usr/bin/tool; chmod +x /usr/bin/tool; echo kept > /root/note',
    );

    await patch({ power: 'Hibernated' });
    await phase('shutDown');
    await patch({ power: 'Running' });
    await phase('running');
    await eventually('the login to the new run', () => ssh('true'));
    expect(await ssh('tool; cat /root/note')).toBe('still here\nkept');
  } finally {
    await rm(home, { recursive: true });
  }
});

const patch = (spec: object) =>
  kubectl.must(['patch', 'gpuinstance', 'dev', '-n', 'org-acme', '--type=merge', '-p', JSON.stringify({ spec })]);

const phase = (wanted: string) =>
  eventually(`the instance is ${wanted}`, async () => {
    const instance = await kubectl.get<{ status?: { phase?: string } }>('gpuinstance', 'dev', '-n', 'org-acme');
    return instance?.status?.phase === wanted;
  });
