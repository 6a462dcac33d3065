// Whatever a policy and a sample are, the short way to a sample's key is the long one.
import type { AlertPolicy } from '@gantry/contract/kinds/alert-policy.ts';
import { expect, test } from '@jest/globals';
import { fc } from '../../../../test/support/seeded-fast-check.ts';
import { keyIn, type Sample, seriesOf } from './group.ts';

const name = fc.constantFrom('dev', 'two', '');
const label = fc.constantFrom('gpu', 'pod', 'instance', '__proto__', 'a\0');
const value = fc.oneof(fc.constantFrom('', '0', 'a\0', '\uD800', '","'), fc.string());
const labels = fc.dictionary(label, value, { maxKeys: 3 });
const maybe = <T>(of: fc.Arbitrary<T>) => fc.option(of, { nil: undefined });
const kind = fc.constantFrom('GpuInstance', 'Endpoint');

const policies = fc.record({
  objects: fc.record({ kind, names: maybe(fc.array(name, { maxLength: 2 })), labels: maybe(labels) }),
  query: maybe(fc.constant('up')),
  aggregation: fc.constantFrom('Average', 'Maximum', 'Minimum', 'Sum', 'Last'),
  groupBy: maybe(fc.array(label, { maxLength: 3 })),
  filters: maybe(
    fc.array(
      fc.record({
        label,
        operator: fc.constantFrom('In', 'NotIn'),
        values: fc.array(value, { maxLength: 2 }),
      }),
      { maxLength: 2 },
    ),
  ),
});
const samples = fc.record({
  labels,
  value: fc.double(),
  object: maybe(fc.record({ kind, name, labels: maybe(labels) })),
});

test('the key of a sample is the key of the series that it alone makes', () => {
  let belonging = 0;
  fc.assert(
    fc.property(policies, samples, (of, one) => {
      const [policy, sample] = [{ spec: of } as unknown as AlertPolicy, one as Sample];
      const key = keyIn(policy, sample);
      expect(key).toBe([...seriesOf(policy, [sample]).keys()][0]);
      if (key !== undefined) belonging++;
    }),
    { numRuns: 1_000 },
  );
  expect(belonging).toBeGreaterThan(100);
});

test('a label is one line of what can be seen, whatever a query writes into it', () => {
  const spec = { query: 'up', objects: { kind: 'GpuInstance' }, aggregation: 'Last' };
  const labels = { a: 'x\r\nBcc: y', b: '\u001b[2J\u202e', c: '\0\uD800' };
  const [series] = seriesOf({ spec } as unknown as AlertPolicy, [{ labels, value: 1 }]).values();
  expect(series?.labels).toEqual({ a: 'x\uFFFD\uFFFDBcc: y', b: '\uFFFD[2J\uFFFD', c: '\uFFFD\uFFFD' });
});

test('a filter by a name that every object has finds no label', () => {
  const filters = [{ label: 'constructor', operator: 'In', values: [''] }];
  const spec = { query: 'up', objects: { kind: 'GpuInstance' }, aggregation: 'Last', filters };
  expect(seriesOf({ spec } as unknown as AlertPolicy, [{ labels: { a: 'b' }, value: 1 }]).size).toBe(1);
});

test('what only hidden labels tell apart is one series, with the values of all of them', () => {
  const policy = { spec: { objects: { kind: 'Job' }, query: 'up', aggregation: 'Maximum' } } as unknown as AlertPolicy;
  const at = (instance: string, value: number): Sample => ({ labels: { team: 'web', instance }, value });
  const all = [...seriesOf(policy, [at('10.0.0.1:9100', 1), at('10.0.0.2:9100', 3)]).values()];
  expect(all.map(({ labels, value }) => [labels, value])).toEqual([[{ team: 'web' }, 3]]);
});
