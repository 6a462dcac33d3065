import { expect, test } from '@jest/globals';
import { gpuInstance } from './kinds/gpu-instance.ts';
import { stateInWords, viewOf } from './view.ts';

const waiting = {
  apiVersion: 'gantry.dev/v1alpha1',
  kind: 'GpuInstance',
  metadata: { name: 'ins-1' },
  spec: { power: 'Running', rebootCount: 0, image: 'a/b:1', displayName: '训练' },
  status: {
    phase: 'preparing',
    reason: 'WaitingForGpus',
    reasonArgs: { count: '4', model: 'H100', free: '2', nodes: '1', ahead: '3' },
  },
};

test("a tenant reads why it waits, in the tenant's language", () => {
  expect(viewOf(gpuInstance, waiting, 'zh', 'member')).toMatchObject({
    name: '训练',
    phaseLabel: '准备中',
    tone: 'progress',
    message: '需要 4 × H100；1 个节点共空闲 2 张；前面还有 3 个在等待。',
  });
});

test('a number has its word', () => {
  expect(viewOf(gpuInstance, waiting, 'en', 'member').message).toContain('2 free on 1 node;');
});

test('a wish that is not answered yet shows its phase, and not the answer to another', () => {
  const view = viewOf(
    gpuInstance,
    { ...waiting, spec: { ...waiting.spec, power: 'Stopped' } } as never,
    'en',
    'member',
  );
  expect(view.phase).toBe('stopping');
  expect(view.message).toBeUndefined();
});

test('who may only look is offered nothing', () => {
  expect(viewOf(gpuInstance, waiting, 'en', 'viewer').actions).toEqual([]);
  expect(viewOf(gpuInstance, waiting, 'en', 'member').actions.map(({ action }) => action)).toEqual([
    'stop',
    'shutdown',
    'edit',
  ]);
});

test('a phase of a newer operator shows by its name', () => {
  const newer = { ...waiting, status: { phase: 'teleporting', reason: 'Beam' } };
  expect(viewOf(gpuInstance, newer, 'en', 'member')).toMatchObject({ phaseLabel: 'teleporting', tone: 'neutral' });
});

test.each([
  ['en', 'Hibernated', 'Shut down'],
  ['zh', '已休眠', '已关机'],
  ['ja', '休止中', 'シャットダウン済み'],
] as const)(
  'in %s a hibernated instance reads otherwise than one that is shut down',
  (language, hibernated, shutDown) => {
    const atRest = (power: string, reason: string) => ({
      ...waiting,
      spec: { ...waiting.spec, power },
      status: { phase: 'shutDown', reason, settledPower: power },
    });
    const labelOf = (object: object) => viewOf(gpuInstance, object as never, language, 'member').phaseLabel;
    expect(labelOf(atRest('Hibernated', 'Hibernated'))).toBe(hibernated);
    expect(labelOf(atRest('ShutDown', 'AtRest'))).toBe(shutDown);
    // Without credit it is hibernated, whatever the tenant asked for.
    expect(labelOf({ ...atRest('Hibernated', 'OutOfCredit'), spec: { ...waiting.spec, power: 'Running' } })).toBe(
      hibernated,
    );
    expect(stateInWords(gpuInstance, { phase: 'shutDown', reason: 'Hibernated' }, language).label).toBe(hibernated);
  },
);
