import type { KubeObject } from '@gantry/contract/define-kind.ts';
import { expect, test } from '@jest/globals';
import { statusPatch } from './status-patch.ts';

const ready = { type: 'Ready', status: 'True', reason: 'r', message: '', lastTransitionTime: '2026-01-01T00:00:00Z' };
const credit = { ...ready, type: 'CreditReserved' };
const OURS = { fields: ['node', 'run'], conditions: ['Ready'] };

const widget = (status: object): KubeObject & { status: object } => ({
  apiVersion: 'gantry.dev/v1alpha1',
  kind: 'Widget',
  metadata: { name: 'a' },
  status,
});

test.each<[what: string, seen: object, wanted: object, patch: object | undefined]>([
  ['no status yet', {}, { phase: 'x' }, { phase: 'x' }],
  ['the same', { phase: 'x', run: { seq: 1 } }, { phase: 'x', run: { seq: 1 } }, undefined],
  ['another value', { phase: 'x' }, { phase: 'y' }, { phase: 'y' }],
  ['another value deep inside', { run: { seq: 1, cause: 'c' } }, { run: { seq: 2, cause: 'c' } }, { run: { seq: 2 } }],
  ['a member left out', { run: { seq: 1, at: 'then' } }, { run: { seq: 1 } }, { run: { at: null } }],
  ['a map in place of a text', { run: 'x' }, { run: { seq: 1 } }, { run: { seq: 1 } }],
  ['another list', { nodes: [{ a: 1, b: 2 }] }, { nodes: [{ a: 1 }] }, { nodes: [{ a: 1 }] }],
  ['undefined is as good as absent', { phase: 'x' }, { phase: 'x', node: undefined }, undefined],
  ['a field of ours left out', { phase: 'x', node: 'n', message: 'm' }, { phase: 'x' }, { node: null, message: null }],
  ["a field of others'", { phase: 'x', credit: {} }, { phase: 'x' }, undefined],
  ['our condition, the same', { conditions: [ready] }, { conditions: [ready] }, undefined],
  [
    'our condition, changed, among others',
    { conditions: [ready, credit] },
    { conditions: [{ ...ready, status: 'False' }] },
    { conditions: [{ ...ready, status: 'False' }, credit] },
  ],
  [
    'our condition, removed by somebody',
    { conditions: [credit] },
    { conditions: [ready] },
    { conditions: [credit, ready] },
  ],
  ['our condition, no longer wanted', { conditions: [ready, credit] }, {}, { conditions: [credit] }],
  ['the last of ours, no longer wanted', { conditions: [ready] }, {}, { conditions: null }],
  [
    'our condition, as an older version wrote it without arguments',
    { conditions: [ready, credit] },
    { conditions: [{ ...ready, args: { node: 'a' } }] },
    { conditions: [{ ...ready, args: { node: 'a' } }, credit] },
  ],
  [
    'our condition with its arguments, in whatever order',
    { conditions: [{ ...ready, args: { node: 'a', run: '1' } }] },
    { conditions: [{ ...ready, args: { run: '1', node: 'a' } }] },
    undefined,
  ],
  ["a condition of others'", { conditions: [credit, ready] }, { conditions: [ready] }, undefined],
])('%s', (_what, seen, wanted, patch) => {
  expect(statusPatch(widget(seen), wanted, OURS)).toEqual(patch);
});

test('who owns a field decides nothing', () => {
  const bare = widget({ phase: 'x', node: 'n' });
  const owned = {
    ...bare,
    metadata: { ...bare.metadata, managedFields: [{ manager: 'somebody', operation: 'Update' }] },
  };
  expect(statusPatch(owned, { phase: 'x' }, OURS)).toEqual(statusPatch(bare, { phase: 'x' }, OURS));
});
