import type { KubeObject } from '@gantry/contract/define-kind.ts';
import { expect, test } from '@jest/globals';
import { noteOwnedStatus, statusDiffers } from './owned-status.ts';

const ready = { type: 'Ready', status: 'True', reason: 'r', message: '', lastTransitionTime: '2026-01-01T00:00:00Z' };
const credit = { ...ready, type: 'CreditReserved' };

/** An object whose status we own in `fields` and, of its conditions, in `types`. */
function given(status: object, fields: string[] = [], types: string[] = []): KubeObject {
  const conditions = Object.fromEntries(types.map((type) => [`k:{"type":"${type}"}`, { '.': {}, 'f:status': {} }]));
  const object = {
    apiVersion: 'gantry.dev/v1alpha1',
    kind: 'Widget',
    metadata: {
      name: 'a',
      managedFields: [
        { manager: 'gantry-operator', operation: 'Apply', fieldsV1: { 'f:metadata': { 'f:finalizers': {} } } },
        { manager: 'billing', operation: 'Apply', subresource: 'status', fieldsV1: { 'f:status': { 'f:credit': {} } } },
        {
          manager: 'gantry-operator',
          operation: 'Apply',
          subresource: 'status',
          fieldsV1: {
            'f:status': {
              ...Object.fromEntries(fields.map((field) => [`f:${field}`, {}])),
              ...(types.length > 0 && { 'f:conditions': conditions }),
            },
          },
        },
      ],
    },
    status,
  };
  noteOwnedStatus(object);
  return object;
}

test.each<[string, KubeObject, object, boolean]>([
  ['no status yet', given({}), { phase: 'x' }, true],
  ['the same', given({ phase: 'x', run: { seq: 1 } }, ['phase', 'run']), { phase: 'x', run: { seq: 1 } }, false],
  ['another value', given({ phase: 'x' }, ['phase']), { phase: 'y' }, true],
  ['another value deep inside', given({ run: { seq: 1 } }, ['run']), { run: { seq: 2 } }, true],
  ['a field inside left out', given({ run: { seq: 1, at: 'then' } }, ['run']), { run: { seq: 1 } }, true],
  ['undefined is as good as absent', given({ phase: 'x' }, ['phase']), { phase: 'x', node: undefined }, false],
  ['a field of ours left out', given({ phase: 'x', node: 'n' }, ['phase', 'node']), { phase: 'x' }, true],
  ['a field of another manager', given({ phase: 'x', credit: {} }, ['phase']), { phase: 'x' }, false],
  ['our condition, the same', given({ conditions: [ready] }, [], ['Ready']), { conditions: [ready] }, false],
  [
    'our condition, changed',
    given({ conditions: [ready] }, [], ['Ready']),
    { conditions: [{ ...ready, status: 'False' }] },
    true,
  ],
  ['our condition, removed by somebody', given({ conditions: [credit] }), { conditions: [ready] }, true],
  ['our condition, no longer wanted', given({ conditions: [ready] }, [], ['Ready']), {}, true],
  [
    'a condition of another manager',
    given({ conditions: [credit, ready] }, [], ['Ready']),
    { conditions: [ready] },
    false,
  ],
  ['the order of conditions', given({ conditions: [credit, ready] }, [], ['Ready']), { conditions: [ready] }, false],
])('%s', (_what, object, wanted, expected) => {
  expect(statusDiffers(object, wanted)).toBe(expected);
});
