// Keeps the file of Prometheus' targets among the platform's Pods current, until it is ended: Debian's Prometheus does not look them
// up itself. Its arguments: the cluster's name, and the file.
import { PLATFORM_NAMESPACE } from '@gantry/contract/names.ts';
import type { V1Pod } from '@kubernetes/client-node';
import { layout } from '../layout.ts';
import { watchObjects } from '../watch-objects.ts';
import { writeChanged } from '../write-changed.ts';
import { targetsOf } from './pod-targets.ts';

const [name, file] = process.argv.slice(2);
if (!name || !file) throw new Error('usage: pod-targets-process.ts CLUSTER FILE');

let pods: ReadonlyMap<string, V1Pod> = new Map();
let written = Promise.resolve();
const write = () => {
  written = written.then(() => writeChanged(file, JSON.stringify(targetsOf([...pods.values()])))).catch(console.error);
};
pods = await watchObjects<V1Pod>(layout(name), `/api/v1/namespaces/${PLATFORM_NAMESPACE}/pods`, {
  keyOf: ({ metadata }) => `${metadata?.name}`,
  changed: write,
});
write();
