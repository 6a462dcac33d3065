import { CLUSTER_PANELS } from '@gantry/contract/areas/monitoring/admin-monitor.ts';
import { expect, test } from '@jest/globals';
import { parser } from '@prometheus-io/lezer-promql';
import { CLUSTER_QUERIES } from './cluster-queries.ts';

test.each(CLUSTER_PANELS)('%s asks PromQL, at any step', (panel) => {
  const query = CLUSTER_QUERIES[panel].query('3600s');
  const errors: number[] = [];
  parser.parse(query).iterate({
    enter: ({ type, from }) => {
      if (type.isError) errors.push(from);
    },
  });
  expect(errors).toEqual([]);
});
