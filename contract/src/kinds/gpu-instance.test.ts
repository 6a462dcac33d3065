import { describe, expect, test } from '@jest/globals';
import { canDo, type KubeObject } from '../define-kind.ts';
import { type GpuInstanceStatus, gpuInstance } from './gpu-instance.ts';

const object = (power: string, status: GpuInstanceStatus, deleting = false) => ({
  apiVersion: 'gantry.dev/v1alpha1',
  kind: 'GpuInstance',
  metadata: { name: 'dev', ...(deleting && { deletionTimestamp: '2026-01-01T00:00:00Z' }) },
  spec: { power, rebootCount: 0, image: 'a/b:1' },
  status,
});

describe('the phase in view is the wish, until the operator has said otherwise', () => {
  test.each([
    ['a new one is preparing', object('Running', {}), 'preparing'],
    ['a pressed Stop shows at once', object('Stopped', { phase: 'running' }), 'stopping'],
    ['a done stop shows as done', object('Stopped', { phase: 'stopped', settledPower: 'Stopped' }), 'stopped'],
    ['stopped, then shut down', object('ShutDown', { phase: 'stopped', settledPower: 'Stopped' }), 'shuttingDown'],
    ['hibernate', object('Hibernated', { phase: 'running' }), 'hibernating'],
    ['hibernated', object('Hibernated', { phase: 'shutDown', settledPower: 'Hibernated' }), 'shutDown'],
    ['resume', object('Running', { phase: 'stopped', settledPower: 'Stopped' }), 'resuming'],
    ['start', object('Running', { phase: 'shutDown', settledPower: 'ShutDown' }), 'starting'],
    ['restore', object('Running', { phase: 'shutDown', settledPower: 'Hibernated' }), 'restoring'],
    [
      'out of credit',
      object('Running', { phase: 'shutDown', settledPower: 'Hibernated', reason: 'OutOfCredit' }),
      'shutDown',
    ],
    ['a hard reboot', object('Running', { phase: 'running', rebootCount: 1 }), 'hard_rebooting'],
    ['a lost node', object('ShutDown', { phase: 'lost_contact' }), 'lost_contact'],
    ['a release', object('ShutDown', { phase: 'shutDown' }, true), 'releasing'],
  ] as const)('%s', (_sentence, object, phase) => {
    expect(gpuInstance.phaseInView(object)).toBe(phase);
  });
});

/** The "Allowed" column of decisions section 2. */
const ALLOWED: Record<string, readonly string[]> = {
  releasing: [],
  released: [],
  lost_contact: ['hardReboot', 'shutdown'],
  hibernating: ['shutdown'],
  shuttingDown: ['release'],
  shutDown: ['edit', 'exportTemplate', 'release', 'restore', 'start'],
  stopping: ['shutdown'],
  stopped: ['edit', 'exportTemplate', 'resume', 'rotateNotebookToken', 'shutdown'],
  createFailed: ['edit', 'shutdown', 'stop'],
  createTimeout: ['edit', 'hardReboot', 'rotateNotebookToken', 'shutdown', 'stop'],
  networkTimeout: ['hardReboot', 'rotateNotebookToken', 'shutdown', 'stop'],
  failed: ['edit', 'hardReboot', 'hibernate', 'rotateNotebookToken', 'shutdown', 'stop'],
  update: ['shutdown', 'stop'],
  hard_rebooting: ['shutdown', 'stop'],
  restoring: ['shutdown', 'stop'],
  resuming: ['shutdown', 'stop'],
  starting: ['shutdown', 'stop'],
  preparing: ['edit', 'shutdown', 'stop'],
  createSuccess: ['login', 'rotateNotebookToken', 'shutdown', 'stop'],
  creating: ['shutdown', 'stop'],
  running: ['edit', 'exportTemplate', 'hardReboot', 'hibernate', 'login', 'rotateNotebookToken', 'shutdown', 'stop'],
};

test.each(Object.keys(gpuInstance.phases))('what may be done in %s is what the decisions say', (phase) => {
  const rows = Object.entries(gpuInstance.actions).filter(([, { from }]) => from.some((one) => one === phase));
  expect(rows.map(([action]) => action).sort()).toEqual(ALLOWED[phase]);
});

test('shut down, only the way back of its own resting state is open', () => {
  const hibernated = object('Hibernated', { phase: 'shutDown', settledPower: 'Hibernated' });
  expect([canDo(gpuInstance, 'restore', hibernated), canDo(gpuInstance, 'start', hibernated)]).toEqual([true, false]);
});

test.each([
  ['a save that goes on is waited for', 'shuttingDown', 'SavingRoot', false],
  ['one that does not get through may be given up', 'shuttingDown', 'SaveRetrying', true],
  ['so may one whose agent is away', 'shuttingDown', 'AgentAway', true],
  ['a reason of the phase before opens nothing', 'stopping', 'AgentAway', false],
] as const)('release: %s', (_sentence, phase, reason, can) => {
  expect(canDo(gpuInstance, 'release', object('ShutDown', { phase, reason }))).toBe(can);
});

test('a notebook token can be rotated where there is one', () => {
  const having = (spec: object, status: GpuInstanceStatus) => {
    const running = object('Running', { phase: 'running', ...status });
    return canDo(gpuInstance, 'rotateNotebookToken', { ...running, spec: { ...running.spec, ...spec } } as KubeObject);
  };
  expect(having({ notebookPort: 8888 }, { notebookRun: 1 })).toBe(true);
  expect(having({}, { notebookRun: 1 })).toBe(false);
  expect(having({ notebookPort: 8888 }, {})).toBe(false);
  expect(having({ notebookPort: 8888, env: [{ name: 'JUPYTER_TOKEN', value: 'own' }] }, { notebookRun: 1 })).toBe(
    false,
  );
});
