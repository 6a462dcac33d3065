import { expect, test } from '@jest/globals';
import { Metrics, parseMetrics } from './operator-metrics.ts';
import { writeBudget } from './write-budget.ts';

const requests = (counts: Record<string, number>) =>
  new Metrics(
    Object.entries(counts).map(([text, value]) => {
      const [verb = '', kind = '', subresource = '', code = '200'] = text.split(' ');
      return { name: 'gantry_api_requests_total', labels: { verb, kind, subresource, code }, value };
    }),
  );

test('a line is a name, labels that may hold anything, and a value', () => {
  const text = ['# HELP a Anything.', 'a 1.5', 'b{kind="Pod",why="a \\"b\\", {c}"} 3e-7', ''].join('\n');
  expect(parseMetrics(text)).toEqual([
    { name: 'a', labels: {}, value: 1.5 },
    { name: 'b', labels: { kind: 'Pod', why: 'a \\"b\\", {c}' }, value: 3e-7 },
  ]);
});

test('requests are those since the look before, over all answers', () => {
  const before = requests({ 'create Pod  201': 3, 'list Pod': 1 });
  const after = requests({ 'create Pod  201': 5, 'create Pod  409': 1, 'list Pod': 1, 'apply Disk status': 2 });
  expect(after.requestsSince(before)).toEqual([
    { verb: 'apply', kind: 'Disk', subresource: 'status', count: 2 },
    { verb: 'create', kind: 'Pod', subresource: '', count: 3 },
  ]);
});

test('children, Events, Leases and reads are not the own writes of a life', () => {
  const since = requests({}).requestsSince(
    requests({
      'patch GpuInstance': -2,
      'apply GpuInstance status': -6,
      'create Pod': -1,
      'patch Pod': -2,
      'delete PersistentVolumeClaim': -1,
      'create Event': -5,
      'patch Lease': -9,
      'list GpuInstance': -3,
    }),
  );
  expect(writeBudget(since)).toEqual({ own: 8, children: 4 });
});
