// Debian 12 and 13 as they are, in QEMU: cgroup v2, their own kernels and systemd. Each run boots one of them and plays the life of a
// node's cgroups there. The long run, and one whose processor lends itself to it, plays what the README promises a newcomer, on both.
import { MOST_PROCESSES } from '@gantry/contract/kinds/instance-limits.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { layout } from '../../hack/layout.ts';
import { linesBelow } from '../support/readme-lines.ts';
import { isSoak, isTurn, SEEDS_OF_MACHINE } from '../support/soak.ts';
import { type DebianMachine, hasVirtualization, SUITES, startDebian, type Version } from './debian-machine.ts';

/** The first time a machine is made from Debian's packages. By emulation everything takes twenty times as long as here. */
const BOOT_MS = 1_200_000;
const WALK_MS = 3_600_000;
/** Above `kubectl wait`'s in the README. */
const PATIENCE = '--timeout=1800s';

const versions = Object.keys(SUITES).map(Number) as Version[];
const played = versions.filter((_, index) => isSoak || isTurn(index, versions.length, SEEDS_OF_MACHINE));
const isWhole = isSoak || (await hasVirtualization());

describe.each(played)('Debian %s', (version) => {
  let machine: DebianMachine;
  beforeAll(async () => {
    machine = await startDebian(version, { hasCluster: isWhole });
  }, BOOT_MS);
  afterAll(() => machine?.end());

  test(
    `limits of memory and processes hold on Debian ${version}, and nothing is left of a node's cgroups`,
    async () => {
      expect((await machine.must('stat -fc %T /sys/fs/cgroup')).trim()).toBe('cgroup2fs');
      const seen = await machine.must('node_modules/.bin/node test/machine/cgroup-life.ts');
      expect(JSON.parse(seen)).toEqual({
        handedDown: ['cpu', 'memory', 'pids'],
        forked: 2,
        asleep: 7,
        modest: 0,
        greedy: 'SIGKILL',
        isLeft: false,
      });
    },
    BOOT_MS,
  );

  if (isWhole) walk(() => machine);
});

const ENV = 'export PATH=$PWD/node_modules/.bin:$PATH && eval "$(make -s env)"';
const NODE = layout('gantry').nodes[0]?.cgroupRoot;
const POD = 'kubectl get pods --namespace org-acme --selector=gantry.dev/kind=GpuInstance,gantry.dev/name=dev';
const TRACES =
  "import { listTraces } from './test/support/traces.ts'; console.log((await listTraces('gantry')).join('\\n'))";

/** Each test begins where the one before it ended. */
function walk(machine: () => DebianMachine): void {
  const typed = (lines: string) =>
    machine().must(`${ENV} && ${lines.replaceAll(/--timeout=\d+s/g, PATIENCE)}`, WALK_MS);
  const inInstance = (command: string) =>
    `kubectl exec --namespace org-acme "$(${POD} --output=name)" --container main -- sh -c '${command}'`;
  const ofPod = async (field: string) => (await typed(`${POD} --output=jsonpath='{.items[0]${field}}'`)).trim();
  const traces = () => machine().must(`node_modules/.bin/node --input-type=module -e "${TRACES}"`);
  let before = '';

  test(
    'make up ends with a cluster that is up',
    async () => {
      before = await traces();
      const { code, stderr } = await machine().run('make up', WALK_MS);
      expect({ code, said: code === 0 ? '' : stderr }).toEqual({ code: 0, said: '' });
      expect(stderr).toMatch(/cluster gantry is up: KUBECONFIG=/);
    },
    WALK_MS,
  );

  test(
    "the README's lines end with a running instance",
    async () => {
      const said = await typed(`(set -e\n${await linesBelow('### Create it')})`);
      expect(said.trimEnd().split('\n').at(-1)).toMatch(/^dev +running +Tesla-T4 /);
    },
    WALK_MS,
  );

  test(
    'the kernel has the limits of the instance, of memory and of processes',
    async () => {
      expect(Number(await typed(inInstance('cat /sys/fs/cgroup/memory.max')))).toBe(0.25 * 2 ** 30);
      const uid = await ofPod('.metadata.uid');
      const files = await machine().must(`cat $(find /sys/fs/cgroup${NODE} -path '*${uid}/pids.max')`);
      expect(files.trim()).toBe(`${MOST_PROCESSES}`);
    },
    WALK_MS,
  );

  test(
    'a program that takes too much memory is killed, and its instance is not',
    async () => {
      const uid = await ofPod('.metadata.uid');
      const greedy = inInstance('dd if=/dev/zero of=/dev/null bs=512M count=1; echo ended with $?');
      expect(await typed(greedy)).toContain('ended with 137');
      expect(await ofPod('.metadata.uid')).toBe(uid);
      expect(await ofPod('.status.containerStatuses[0].restartCount')).toBe('0');
    },
    WALK_MS,
  );

  test(
    'a hibernation keeps the files',
    async () => {
      await typed(inInstance('echo kept > /root/note; echo kept > /usr/bin/tool'));
      await typed(`(set -e\n${(await linesBelow('### Keep your work')).replace(/^until ssh .*$/m, '')})`);
      expect(await typed(inInstance('cat /root/note /usr/bin/tool'))).toBe('kept\nkept\n');
    },
    WALK_MS,
  );

  test(
    'make down leaves the machine as it was',
    async () => {
      await machine().must('make down', WALK_MS);
      expect(await traces()).toBe(before);
    },
    WALK_MS,
  );
}
