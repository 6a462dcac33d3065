// `make up INSTALL=helm`, whose last lines a newcomer reads: the first time, a second time, and without INSTALL, which stays as it was.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { layout } from '../../hack/layout.ts';
import { listProcesses } from '../../hack/process.ts';
import { runCommand } from '../support/command.ts';
import { kubectlWith } from '../support/kubectl.ts';

const NAME = 'left';
/** Images and, where nobody has built it yet, Helm. */
const WITHIN_MS = 1_200_000;
const here = layout(NAME);
const kubectl = kubectlWith(here.kubeconfig);
const cluster = (command: 'up' | 'down', ...install: readonly string[]) =>
  runCommand(process.execPath, ['hack/cluster.ts', command, '--name', NAME, ...install]);

beforeAll(() => cluster('down'));
afterAll(() => cluster('down'));

test.each([
  { when: 'the first time', install: ['--install=helm'] },
  { when: 'a second time', install: ['--install=helm'] },
  { when: 'without INSTALL on such a cluster', install: [] },
])(
  'up with the chart comes up: $when',
  async ({ install }) => {
    const { code, stderr } = await cluster('up', ...install);
    expect({ code, failed: code === 0 ? '' : stderr }).toEqual({ code: 0, failed: '' });
    expect(stderr).toMatch(/administrator: admin, first password \S+/);
    expect((await listProcesses(here)).filter(({ alive }) => !alive)).toEqual([]);
    const instances = await kubectl.must(['get', 'gpuinstances', '--all-namespaces', '--output=json']);
    expect(JSON.parse(instances)).toMatchObject({ items: [] });
    expect(await (await fetch(`http://127.0.0.1:${here.ports.gateway}/healthz`)).text()).toBe('ok\n');
  },
  WITHIN_MS,
);
