// The staff's commands follow from the kinds' own rows: they end and interrupt, and spend nobody's money anew.
import { expect, test } from '@jest/globals';
import type { KindFacts, KubeObject } from './define-kind.ts';
import { KINDS } from './kinds.ts';
import { ANNOTATION } from './names.ts';
import { canStaff, patchOf, staffCommandsNow, staffRows } from './staff-commands.ts';

test.each([
  ['gpuInstance', ['stop', 'hibernate', 'shutdown', 'hardReboot', 'rotateNotebookToken', 'release']],
  ['gpuHost', ['release']],
  ['dataDisk', ['release']],
  ['image', ['release']],
  ['snapshot', []],
] as const)('of a %s staff give %j', (kind, rows) => {
  expect(Object.keys(staffRows(KINDS[kind])).sort()).toEqual([...rows].sort());
});

test('a patch of staff is one that the API server’s policies can name: a text, a flag, or a counter', () => {
  for (const facts of Object.values<KindFacts>(KINDS))
    for (const row of Object.values(staffRows(facts)))
      for (const value of Object.values(patchOf(row))) expect(['string', 'boolean', 'number']).toContain(typeof value);
});

const instance = (phase: string, annotations: Record<string, string> = {}): KubeObject =>
  ({
    apiVersion: 'gantry.dev/v1alpha1',
    kind: 'GpuInstance',
    metadata: { name: 'one', annotations },
    spec: { power: 'Running', rebootCount: 0 },
    status: { phase, rebootCount: 0 },
  }) as KubeObject;

test('the state decides, and reconciling can be paused in any', () => {
  const actions = (object: KubeObject) => staffCommandsNow(KINDS.gpuInstance, object, 'en').map(({ action }) => action);
  expect(actions(instance('running'))).toEqual(['stop', 'hibernate', 'shutdown', 'hardReboot', 'pauseReconciling']);
  expect(actions(instance('preparing', { [ANNOTATION.paused]: 'true' }))).toEqual([
    'stop',
    'shutdown',
    'resumeReconciling',
  ]);
});

test.each(['start', 'resume', 'edit', 'exportTemplate', 'toString', '__proto__'])(
  '%s is nobody’s of the staff',
  (command) => {
    expect(canStaff(KINDS.gpuInstance, command, instance('stopped'))).toBe(false);
  },
);
