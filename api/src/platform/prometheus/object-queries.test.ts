import { MONITOR_TYPES, OBJECT_METRIC_NAMES } from '@gantry/contract/monitor/metrics.ts';
import { expect, test } from '@jest/globals';
import { parser } from '@prometheus-io/lezer-promql';
import { cardsQuery, objectQuery, partQuery } from './object-queries.ts';
import { scopeQuery } from './scope-query.ts';

const asked = (more: object = {}) => ({ namespace: 'org-a', type: 'instance' as const, stepMs: 60_000, ...more });
const rows = MONITOR_TYPES.flatMap((type) => OBJECT_METRIC_NAMES.map((metric) => [metric, type] as const));

test.each(rows)('%s of an object of type %s is PromQL, at any step', (metric, type) => {
  for (const stepMs of [0, 60_000, 86_400_000])
    for (const query of [
      objectQuery(metric, asked({ type, stepMs, objects: ['a', 'b'] })),
      partQuery(metric, asked({ type, stepMs })),
    ]) {
      const errors: string[] = [];
      parser
        .parse(query)
        .iterate({ enter: ({ type: node, from }) => void (node.isError && errors.push(query.slice(from))) });
      expect(errors).toEqual([]);
    }
});

test.each(rows.filter(([, type]) => type !== 'host'))(
  '%s of Pods (%s) reads the organisation’s series alone',
  (metric, type) => {
    const query = objectQuery(metric, asked({ type }));
    let selectors = 0;
    parser.parse(query).iterate({
      enter({ name, from, to }) {
        if (name !== 'VectorSelector') return;
        selectors++;
        expect(query.slice(from, to)).toContain('{namespace="org-a"');
      },
    });
    expect(selectors).toBeGreaterThan(1);
  },
);

test.each(OBJECT_METRIC_NAMES)('%s of a node counts only at moments when it was the organisation’s', (metric) => {
  const query = objectQuery(metric, asked({ type: 'host', stepMs: 86_400_000, objects: ['big'] }));
  expect(query).toContain(
    '* on (node) group_left (object) max by (node, object) (gantry_node_owner{namespace="org-a",kind="GpuHost",object=~"big"})',
  );
  // The product is taken at each moment, and then put together.
  expect(query).toMatch(/^avg_over_time\(\(.*\)\[86400s:3600s\]\)$/s);
});

test('a name that is none is never written into a query', () => {
  for (const name of ['', 'a|b', '.*', 'a"} or {', 'A', 'a\n'])
    expect(() => objectQuery('cpu', asked({ objects: [name] }))).toThrow('is no name');
  expect(() => cardsQuery('x', '.*')).toThrow('is no name');
  expect(objectQuery('cpu', asked({ objects: ['a.b'] }))).toContain('object=~"a\\\\.b"');
});

test('all that is asked of Pods would pass the scoper, too', () => {
  expect(scopeQuery(objectQuery('cpu', asked()), 'org-a')).toHaveProperty('query');
  expect(scopeQuery(cardsQuery('DCGM_FI_DEV_GPU_TEMP', 'org-a'), 'org-a')).toHaveProperty('query');
});
