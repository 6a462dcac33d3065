// An instance's other parts besides its container and its home: logins, disks, a host.
import type { DataDisk } from '@gantry/contract/kinds/data-disk.ts';
import type { GpuHost } from '@gantry/contract/kinds/gpu-host.ts';
import type { GpuInstanceStatus } from '@gantry/contract/kinds/gpu-instance.ts';
import type { Pod } from '@gantry/kube/core-objects.ts';
import { describe, expect, test } from '@jest/globals';
import { DATES } from '../../../../test/support/hostile-values.ts';
import { instant } from '../../metering.ts';
import { gpuInstanceController } from './plan.ts';
import { agent, at, context, gpuInstance, home, pod, seen, settings, tied } from './testing/fixtures.ts';

const firstRun: GpuInstanceStatus = { rebootCount: 0, run: { seq: 1, cause: 'first' } };
const ran: GpuInstanceStatus = {
  phase: 'running',
  everReady: true,
  rebootCount: 0,
  run: { seq: 1, cause: 'first', readyAt: at(6) },
};
const plan = (
  owner: Parameters<typeof gpuInstance>[0] = {},
  sees: Parameters<typeof seen>[0] = {},
  more: Partial<typeof settings> = {},
) => gpuInstanceController.plan(gpuInstance(owner), seen(sees), context(70, { settings: { ...settings, ...more } }));
const made = (...of: Parameters<typeof plan>) => plan(...of).create?.find(({ kind }) => kind === 'Pod') as Pod;
const condition = (type: string, { status }: ReturnType<typeof plan>) =>
  status?.conditions?.find((one) => one.type === type);

// Made with ssh-keygen; nobody has their private halves.
const KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ3ZA+pg+cXZb3ElTe0owycI19d1t16gkBQKSjtM+bF9';
const BROKEN = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ3ZA+pg+cXZb3ElTe0owycI19d1t16gkBQKSjtM';

describe('logging in', () => {
  const keyed = (sshKeys: NonNullable<ReturnType<typeof gpuInstance>['spec']['sshKeys']>) => ({
    spec: { sshKeys },
    status: firstRun,
  });
  const keysIn = (owner: Parameters<typeof gpuInstance>[0]) =>
    made(owner).metadata.annotations?.['gantry.dev/ssh-keys'];

  test('process 1 keeps an SSH server, with the keys of a file that follows the spec, as root', () => {
    const { spec } = made({ spec: { command: ['train'] }, status: firstRun });
    expect(spec?.containers[0]).toMatchObject({
      command: [
        ...['/gantry/bin/agent', 'init', '--ssh', ':22', '--ssh-keys', '/gantry/keys/authorized_keys'],
        ...['--ssh-host-key', '/root/.gantry/ssh_host_ed25519_key', '--', 'train'],
      ],
      securityContext: { runAsUser: 0 },
      startupProbe: { tcpSocket: { port: 22 }, periodSeconds: 1 },
    });
    expect(spec?.volumes).toContainEqual(expect.objectContaining({ name: 'keys' }));
  });
  test.each([
    ['ports', { ports: [{ port: 22 }] }],
    ['notebookPort', { notebookPort: 22 }],
  ])('where the tenant has port 22 in spec.%s, theirs serves', (_, spec) => {
    const [main] = made({ spec, status: firstRun }).spec?.containers ?? [];
    expect(main?.command).toEqual(['/gantry/bin/agent', 'init']);
    expect(main).not.toHaveProperty('startupProbe');
  });
  test('a key that expires says when', () => {
    const key = { remark: 'ann', publicKey: `${KEY} ann@laptop`, expiresAt: '2027-02-03T04:05:06Z' };
    expect(keysIn(keyed([key]))).toBe(`expiry-time="20270203040506Z" ${KEY} ann\n`);
  });
  test('a remark stays in its line: nobody writes a second key with it', () => {
    expect(keysIn(keyed([{ remark: `ann\n${KEY}`, publicKey: KEY }]))).toBe(`${KEY} ann ${KEY}\n`);
  });
  test('a key that does not parse is left out, and named with what is wrong', () => {
    const owner = keyed([
      { remark: 'old', publicKey: BROKEN },
      { remark: 'new', publicKey: KEY },
    ]);
    expect(keysIn(owner)).toBe(`${KEY} new\n`);
    expect(condition('KeysAccepted', plan(owner))).toMatchObject({
      status: 'False',
      reason: 'KeyMalformed',
      message:
        'spec.sshKeys[old].publicKey: it is cut off, or has extra data at its end. This key cannot log in; the other keys can.',
    });
  });
  test.each(DATES.filter((date) => instant(date) === undefined))(
    'a key that expires at %s, which is no moment, is left out and named; everything else goes on',
    (expiresAt) => {
      const owner = keyed([
        { remark: 'odd', publicKey: KEY, expiresAt },
        { remark: 'sound', publicKey: KEY, expiresAt: '2027-02-03T13:05:06+09:00' },
      ]);
      expect(keysIn(owner)).toBe(`expiry-time="20270203040506Z" ${KEY} sound\n`);
      expect(condition('KeysAccepted', plan(owner))).toMatchObject({
        status: 'False',
        reason: 'KeyExpiryMalformed',
        message: expect.stringContaining(`spec.sshKeys[odd].expiresAt: ${expiresAt} is not a date and time`),
      });
      const stopped = { spec: { ...owner.spec, power: 'ShutDown' as const }, status: ran };
      expect(plan(stopped, { pods: [pod('ready')] }).patch?.map(({ body }) => body)).toContainEqual({
        spec: { activeDeadlineSeconds: 1 },
      });
    },
  );
  test('sound keys are said to be', () => {
    expect(condition('KeysAccepted', plan(keyed([{ remark: 'a', publicKey: KEY }])))?.status).toBe('True');
    expect(condition('KeysAccepted', plan())).toBeUndefined();
  });
  test('a key that comes while it runs reaches it without a restart', () => {
    const owner = { spec: { sshKeys: [{ remark: 'a', publicKey: KEY }] }, status: ran };
    const { patch, status } = plan(owner, { pods: [pod('ready')] });
    expect(patch?.map(({ body }) => body)).toEqual([
      { metadata: { annotations: { 'gantry.dev/ssh-keys': `${KEY} a\n` } } },
    ]);
    expect(status?.phase).toBe('running');
  });
  test.each([
    ['ssh.example.com:22', 'ssh -J gantry@ssh.example.com root@dev.instances.org-acme.svc'],
    ['192.0.2.7:2222', 'ssh -J gantry@192.0.2.7:2222 root@dev.instances.org-acme.svc'],
    ['', undefined],
  ])('through the door %s one logs in by %s', (sshDoor, command) =>
    expect(plan({}, {}, { sshDoor }).status?.ssh).toBe(command),
  );
  const OWN_SSH = { ports: [{ port: 22 }] };
  const DOOR = { sshDoor: 'ssh.example.com:22' };
  test.each([
    ['added', OWN_SSH, {}, expect.stringContaining('root@dev')],
    ['taken away', {}, OWN_SSH, undefined],
  ])(
    'port 22 %s while it runs waits for the next run: keys and the command stay as they work now',
    (_, now, before, ssh) => {
      const owner = { spec: { ...now, sshKeys: [{ remark: 'a', publicKey: KEY }] }, status: ran };
      const planned = plan(owner, { pods: [pod('ready', { spec: before })] }, DOOR);
      expect(planned.status?.ssh).toEqual(ssh);
      expect(condition('KeysAccepted', planned)?.status).toBe('True');
      expect(condition('RestartNeeded', planned)).toMatchObject({
        status: 'True',
        message: 'spec.ports: the change takes effect the next time the instance starts.',
      });
      expect(planned.status?.phase).toBe('running');
    },
  );
  test('another port needs no restart', () => {
    const owner = { spec: { ports: [{ port: 80 }] }, status: ran };
    expect(condition('RestartNeeded', plan(owner, { pods: [pod('ready')] }))).toBeUndefined();
  });
  test('at rest the command is that of the next run', () => {
    const rested: GpuInstanceStatus = {
      ...ran,
      settledPower: 'Stopped',
      run: { seq: 1, cause: 'first', endedAt: at(60) },
    };
    expect(plan({ spec: { ...OWN_SSH, power: 'Stopped' }, status: rested }, {}, DOOR).status?.ssh).toBeUndefined();
    expect(plan({ spec: { power: 'Stopped' }, status: rested }, {}, DOOR).status?.ssh).toBeDefined();
  });
  test('an SSH server that stays silent for a minute is told', () => {
    expect(plan({ status: firstRun }, { pods: [pod('started')] }).status).toMatchObject({
      phase: 'networkTimeout',
      reason: 'PortSilent',
    });
  });
});

const disk = (name: string, status: object, more: object = {}): DataDisk =>
  ({
    metadata: { name },
    spec: { sizeGi: 1, access: 'Single' },
    status: { phase: 'active', ...status },
    ...more,
  }) as DataDisk;
const mine = { phase: 'mounted', mountedBy: [{ kind: 'GpuInstance', name: 'dev' }] };
const WANTED = { disks: [{ name: 'data', mountPath: '/data' }] };

describe('disks', () => {
  test('with a name that does not exist: the running Pod goes on, and the status says that the change waits', () => {
    const said = plan({ spec: WANTED, status: ran }, { pods: [pod('ready')] });
    expect(said.status?.phase).toBe('running');
    expect(condition('RestartNeeded', said)).toMatchObject({ status: 'True' });
  });
  const wanting = { spec: WANTED, status: firstRun };
  test('are mounted where the spec says', () => {
    const { spec, metadata } = made(wanting, { disks: [disk('data', mine)] });
    expect(spec?.volumes).toContainEqual({ name: 'disk-0', persistentVolumeClaim: { claimName: 'data-disk' } });
    expect(spec?.containers[0]?.volumeMounts).toContainEqual({ name: 'disk-0', mountPath: '/data' });
    expect(metadata.annotations?.['gantry.dev/mounts']).toBe('data=/data');
  });
  test.each<[string, readonly DataDisk[], phase: string, says: string]>([
    ['that is not there', [], 'createFailed', 'spec.disks: there is no disk data in this organisation.'],
    [
      'that another instance writes',
      [disk('data', { phase: 'mounted', mountedBy: [{ kind: 'GpuInstance', name: 'other' }] })],
      'preparing',
      'spec.disks: the disk data allows only one writer, currently other.',
    ],
    [
      'that is kept for a host',
      [disk('data', { phase: 'mounted', mountedBy: [{ kind: 'GpuHost', name: 'rack' }] })],
      'preparing',
      'spec.disks: the disk data belongs to the host rack; an instance on that host can use it.',
    ],
    [
      'that is lost',
      [disk('data', { phase: 'inactive', message: 'gone.' })],
      'preparing',
      'spec.disks: the disk data cannot be mounted now: gone.',
    ],
    [
      'that is being deleted',
      [disk('data', {}, { metadata: { name: 'data', deletionTimestamp: at(1) } })],
      'preparing',
      'spec.disks: the disk data cannot be mounted now: it is being deleted',
    ],
    [
      'that nobody has assigned yet',
      [disk('data', {})],
      'preparing',
      'spec.disks: the disk data cannot be mounted now: it is being assigned',
    ],
  ])('one %s is named, and waited for', (_, disks, phase, message) => {
    const { status, create } = plan(wanting, { disks });
    expect(status).toMatchObject({ phase, message });
    expect(create).toEqual([]);
  });
  test('one of many writers is mounted, whoever else has it', () => {
    const many = disk('data', { phase: 'mounted', mountedBy: [{ kind: 'GpuInstance', name: 'other' }] });
    expect(made(wanting, { disks: [{ ...many, spec: { ...many.spec, access: 'Many' } }] })).toBeDefined();
  });
  test('other disks than it carries wait for its next start, and what runs goes on', () => {
    const { status, patch } = plan({ spec: WANTED, status: ran }, { pods: [pod('ready')], disks: [disk('data', {})] });
    expect(status?.phase).toBe('running');
    expect(status?.conditions).toContainEqual(expect.objectContaining({ type: 'RestartNeeded', status: 'True' }));
    expect(patch).toEqual([]);
  });
  test('those it carries do not', () => {
    const carrying = pod('ready');
    const annotations = { ...carrying.metadata.annotations, 'gantry.dev/mounts': 'data=/data' };
    const pods = [{ ...carrying, metadata: { ...carrying.metadata, annotations } }];
    expect(condition('RestartNeeded', plan({ spec: WANTED, status: ran }, { pods, disks: [disk('data', mine)] }))).toBe(
      undefined,
    );
  });
});

const host = (phase: string, more: object = {}): GpuHost =>
  ({ metadata: { name: 'rack', uid: 'uid-rack' }, spec: {}, status: { phase, message: 'm', ...more } }) as GpuHost;

describe('a host', () => {
  const on = { spec: { host: 'rack' }, status: firstRun };
  const terms = ({ spec }: Pod) =>
    spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms[0]
      ?.matchExpressions;
  const HOST = 'node-restriction.kubernetes.io/gantry-host';

  test("keeps its instances on its nodes, and everybody else's off", () => {
    const placed = made(on, { host: host('active') });
    expect(terms(placed)).toEqual([{ key: HOST, operator: 'In', values: ['uid-rack'] }]);
    expect(placed.spec?.tolerations).toContainEqual({
      key: 'gantry.dev/host',
      operator: 'Equal',
      value: 'uid-rack',
      effect: 'NoSchedule',
    });
    expect(terms(made({ status: firstRun }))).toEqual([{ key: HOST, operator: 'DoesNotExist' }]);
  });
  test('in an exclusive pool both are asked', () => {
    const { spec } = made({ status: firstRun }, {}, { sharedPool: 'exclusive' });
    expect(Object.keys(spec?.affinity ?? {})).toEqual(['nodeAffinity', 'podAntiAffinity']);
  });
  test.each<[string, GpuHost | undefined, phase: string, says: string]>([
    ['that is not there', undefined, 'createFailed', 'spec.host: there is no host rack in this organisation.'],
    ['that is not ready', host('activeSync'), 'preparing', 'spec.host: the host rack is not ready: m'],
    ['that has expired', host('expired'), 'createFailed', 'spec.host: the host rack has expired.'],
  ])('one %s is named, and nothing is made', (_, of, phase, message) => {
    const { status, create } = plan(on, { host: of });
    expect(status).toMatchObject({ phase, message });
    expect(create).toEqual([]);
  });
  test('expired, it goes on with what runs until its grace is over', () => {
    const running = { pods: [pod('ready', { spec: { host: 'rack' } })] };
    const owner = { spec: { host: 'rack' }, status: ran };
    const inGrace = plan(owner, { ...running, host: host('expired') });
    expect(inGrace.patch).toEqual([]);
    expect(inGrace.status).toMatchObject({ phase: 'running', health: 'normal' });
    expect(condition('Ready', inGrace)).toMatchObject({ status: 'True' });
    const { status, patch } = plan(owner, { ...running, host: host('draining') });
    expect(status?.phase).toBe('hibernating');
    expect(patch?.map(({ body }) => body)).toEqual([{ spec: { activeDeadlineSeconds: 1 } }]);
  });
  test.each<[string, GpuInstanceStatus, Parameters<typeof seen>[0]]>([
    ['waits for its image', firstRun, { pods: [pod('placed', { spec: { host: 'rack' } })] }],
    ['was never Ready', firstRun, { pods: [pod('started', { spec: { host: 'rack' } })] }],
  ])('its grace over, what %s leaves it too', (_, status, sees) => {
    const {
      status: said,
      patch = [],
      remove = [],
    } = plan({ spec: { host: 'rack' }, status }, { ...sees, host: host('draining') });
    expect(said?.phase).toBe('hibernating');
    expect([...patch, ...remove].map(({ kind, name }) => [kind, name])).toContainEqual(['Pod', 'dev-1']);
  });
  test('its grace over, nothing new is put there', () => {
    const owner = { spec: { host: 'rack' }, status: { rebootCount: 0 } };
    expect(plan(owner, { host: host('draining') })).toMatchObject({
      status: { phase: 'shutDown', reason: 'HostExpired' },
      create: [],
    });
  });
  test.each(['Stopped', 'ShutDown'] as const)(
    'its grace over, or released: the home of one that is %s leaves its node',
    (power) => {
      const run = { seq: 1, cause: 'first' as const, readyAt: at(6), endedAt: at(60) };
      const owner = { spec: { host: 'rack', power }, status: { ...ran, run, settledPower: power } };
      for (const phase of ['draining', 'releasing']) {
        const of = {
          ...host(phase),
          ...(phase === 'releasing' && { metadata: { name: 'rack', deletionTimestamp: at(60) } }),
        };
        const { status, create } = plan(owner, { claims: [home()], ...agent(), ...tied, host: of });
        expect([status?.phase, create?.map(({ metadata }) => metadata.name)]).toEqual(['hibernating', ['dev-keep']]);
      }
    },
  );
  test('at rest for that, it says so', () => {
    const run = { seq: 1, cause: 'first' as const, readyAt: at(6), endedAt: at(60) };
    const owner = { spec: { host: 'rack' }, status: { ...ran, run, settledPower: 'Hibernated' } };
    expect(plan(owner, { host: host('expired', { returnedAt: at(50) }) }).status).toMatchObject({
      phase: 'shutDown',
      reason: 'HostExpired',
    });
  });
});
