import type { KindFacts, KubeObject } from '@gantry/contract/define-kind.ts';
import { gpuHost } from '@gantry/contract/kinds/gpu-host.ts';
import { gpuInstance } from '@gantry/contract/kinds/gpu-instance.ts';
import { expect, test } from '@jest/globals';
import { kindObject } from '../../core/kinds/testing/memory-kinds.ts';
import { longestWaits } from './longest-waits.ts';

const instance = (name: string, status: object, spec: object = {}) =>
  kindObject(gpuInstance, name, { spec: { power: 'Running', ...spec }, status });
const listOf =
  (...objects: readonly KubeObject[]) =>
  ({ kind }: Pick<KindFacts, 'kind'>) =>
    objects.filter((object) => object.kind === kind);
const args = { count: '8', model: 'NVIDIA-H100-80GB-HBM3', free: '2', nodes: '1', ahead: '3' };

test('who waits longest is first, since the moment when waiting began', () => {
  const list = listOf(
    instance('late', {
      phase: 'preparing',
      reason: 'WaitingForGpus',
      reasonArgs: args,
      history: [{ phase: 'preparing', reason: 'WaitingForGpus', since: '2026-11-03T00:00:00Z' }],
    }),
    instance('early', {
      phase: 'creating',
      reason: 'PullingImage',
      reasonArgs: { node: 'node-a' },
      history: [
        { phase: 'creating', since: '2026-11-04T00:00:00Z' },
        { phase: 'preparing', since: '2026-11-02T00:00:00Z' },
        { phase: 'stopped', since: '2026-11-01T12:00:00Z' },
      ],
    }),
    instance('running', { phase: 'running', history: [{ phase: 'running', since: '2026-11-01T00:00:00Z' }] }),
    instance('resting', { phase: 'shutDown', settledPower: 'ShutDown' }, { power: 'ShutDown' }),
    kindObject(gpuHost, 'big', { status: { phase: 'pending' } }),
  );
  const { waits, waiting } = longestWaits(list, 'en', 10);
  expect(waiting).toBe(3);
  expect(waits.map(({ resource, id, since }) => [resource, id, since])).toEqual([
    ['hosts', 'org-acme.big', '2026-11-01T00:00:00.000Z'],
    ['instances', 'org-acme.early', '2026-11-02T00:00:00.000Z'],
    ['instances', 'org-acme.late', '2026-11-03T00:00:00.000Z'],
  ]);
  expect(waits[2]).toMatchObject({
    organization_id: 'acme',
    phase: 'preparing',
    phase_label: 'Preparing',
    reason: 'WaitingForGpus',
    said: 'Needs 8 × NVIDIA H100 80 GB; 2 free on 1 node; ahead of you: 3.',
    is_public: true,
  });
  // A sentence with a node's or an image's name is not for a wall.
  expect(waits[1]).toMatchObject({ reason: 'PullingImage', is_public: false });
  expect(longestWaits(list, 'en', 1)).toMatchObject({ waiting: 3, waits: [{ id: 'org-acme.big' }] });
});

test('a status that nobody means breaks no list', () => {
  const list = listOf(
    instance('odd', {
      phase: 'preparing',
      reason: '__proto__',
      reasonArgs: { x: '<b>' },
      history: [{ phase: 'preparing', since: 'never' }],
    }),
    instance('holes', { phase: 'preparing', history: [null, 7, { phase: 'preparing' }] }),
    instance('bare', { phase: 'preparing', reason: 'WaitingForGpus', message: '<script>' }),
    { apiVersion: 'v1', kind: gpuInstance.kind, metadata: { name: 'empty' } } as KubeObject,
  );
  const { waits } = longestWaits(list, 'ja', 10);
  expect(waits.map(({ id }) => id)).toEqual(
    expect.arrayContaining(['org-acme.odd', 'org-acme.bare', 'org-acme.holes']),
  );
  expect(waits.find(({ id }) => id === 'org-acme.bare')?.said).toBe('<script>');
});
