import { expect, test } from '@jest/globals';
import type { KubeObject, State } from './define-kind.ts';
import { stateBegun } from './state-begun.ts';

const widget = (status: object): KubeObject & { status: object } => ({
  apiVersion: 'gantry.dev/v1alpha1',
  kind: 'Widget',
  metadata: { name: 'a' },
  status,
});

test('the newest states are kept, and the beginning of long texts', () => {
  let seen = widget({});
  for (let at = 0; at < 30; at++) {
    const wanted = { phase: `${at}`, reasonArgs: { detail: 'x'.repeat(10_000) } };
    seen = widget({ ...wanted, ...stateBegun(seen, wanted, at * 1000) });
  }
  const { history } = seen.status as { history: readonly State[] };
  expect(history.map(({ phase }) => Number(phase))).toEqual(Array.from({ length: 20 }, (_, back) => 29 - back));
  expect(history[0]).toEqual({ phase: '29', reasonArgs: { detail: 'x'.repeat(256) }, since: '1970-01-01T00:00:29Z' });
});

test('a status without a phase begins no state', () => {
  expect(stateBegun(widget({ phase: 'x' }), {}, 0)).toEqual({});
});
