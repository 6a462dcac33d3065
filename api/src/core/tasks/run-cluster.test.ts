import { type DataProcess, dataProcess } from '@gantry/contract/kinds/data-process.ts';
import { LABEL } from '@gantry/contract/names.ts';
import { expect, test } from '@jest/globals';
import { POD } from '../../platform/kube/resources.ts';
import { runCluster } from './run-cluster.ts';

const COMPLETION_INDEX = 'batch.kubernetes.io/job-completion-index';

test('the workers of a gang have their numbers, as far as the cache keeps their Pods', () => {
  const podOf = (index: number) => {
    const numbered = { [COMPLETION_INDEX]: `${index}` };
    const labels = { [LABEL.kind]: 'DataProcess', [LABEL.name]: 'gang', [LABEL.run]: '1', ...numbered };
    const metadata = { name: `gang-${index}`, namespace: 'org-acme', uid: `${index}`, labels, annotations: numbered };
    const pod = { apiVersion: 'v1', kind: 'Pod', metadata, status: { phase: 'Running', podIP: `10.1.2.${index}` } };
    return POD.keep?.(pod) ?? pod;
  };
  const cache = { reader: { list: () => [podOf(0), podOf(1)] } };
  const cluster = runCluster<DataProcess>(dataProcess, { serviceNetwork: 'direct' }, { client: {}, cache } as never);
  const gang = { metadata: { name: 'gang', namespace: 'org-acme' } } as DataProcess;
  expect(cluster.pods(gang, 1).map(({ name, index }) => [name, index])).toEqual([
    ['gang-0', 0],
    ['gang-1', 1],
  ]);
  cluster.stop();
});
