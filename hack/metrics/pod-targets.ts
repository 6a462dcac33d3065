// Whom Prometheus asks among the platform's Pods: the ports that the chart's PodMonitors name, as a file of its service discovery.
import type { V1Pod } from '@kubernetes/client-node';

/** Names of ports by the Pod's `app.kubernetes.io/name`. */
const MEASURED: Readonly<Record<string, readonly string[]>> = {
  'gantry-gateway': ['metrics'],
  'gantry-operator': ['metrics'],
  'gantry-agent': ['metrics'],
  'gantry-registry': ['tokens', 'debug'],
  'gantry-ssh-door': ['metrics'],
};

export interface TargetGroup {
  readonly targets: readonly string[];
  readonly labels: Readonly<Record<string, string>>;
}

/** In the order of their names, so that the same Pods are the same file. */
export const targetsOf = (pods: readonly V1Pod[]): TargetGroup[] =>
  pods
    .flatMap(({ metadata, spec, status }) => {
      const job = metadata?.labels?.['app.kubernetes.io/name'] ?? '';
      const ports = (spec?.containers ?? [])
        .flatMap((container) => container.ports ?? [])
        .filter(({ name }) => MEASURED[job]?.includes(name ?? ''));
      if (ports.length === 0 || !status?.podIP) return [];
      const targets = ports.map(({ containerPort }) => `${status.podIP}:${containerPort}`);
      return [{ targets, labels: { job, pod: metadata?.name ?? '', node: spec?.nodeName ?? '' } }];
    })
    .toSorted((a, b) => ((a.labels.pod ?? '') < (b.labels.pod ?? '') ? -1 : 1));
