// Every object of a cluster, of whatever kind, to see what something adds or leaves.
import type { Kubectl } from '../support/kubectl.ts';

/** Objects that come and go by themselves: reports, and records about other objects under random names. */
const PASSING = /^(events|componentstatuses|endpoints|endpointslices|controllerrevisions|ipaddresses)\b/;
const HEARTBEATS = 'kube-node-lease';

/** One line for each: kind, namespace where it has one, name. */
export async function everything(kubectl: Kubectl): Promise<Set<string>> {
  const kinds = (await kubectl.must(['api-resources', '--verbs=list', '--output=name'])).trim().split('\n');
  const table = await kubectl.must([
    ...['get', kinds.filter((kind) => !PASSING.test(kind)).join(','), '--all-namespaces', '--ignore-not-found'],
    ...['--no-headers', '--output=custom-columns=K:.kind,S:.metadata.namespace,N:.metadata.name'],
  ]);
  const lines = table.trim().split('\n');
  return new Set(
    lines
      .map((line) => line.replace('<none>', '').replaceAll(/ +/g, ' ').trim())
      .filter((line) => !line.includes(HEARTBEATS)),
  );
}
