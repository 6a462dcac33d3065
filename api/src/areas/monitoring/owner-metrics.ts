// The owners of Pods and nodes, as the gateway's metrics name them: queries about an object are joined with these, and so find its own
// alone.
import type { KindFacts, KubeObject } from '@gantry/contract/define-kind.ts';
import { identityOf } from '@gantry/contract/identity.ts';
import { containerService } from '@gantry/contract/kinds/container-service.ts';
import { dataProcess } from '@gantry/contract/kinds/data-process.ts';
import { evaluation } from '@gantry/contract/kinds/evaluation.ts';
import { fineTune } from '@gantry/contract/kinds/fine-tune.ts';
import { gpuHost } from '@gantry/contract/kinds/gpu-host.ts';
import { gpuInstance } from '@gantry/contract/kinds/gpu-instance.ts';
import { job } from '@gantry/contract/kinds/job.ts';
import { modelDeployment } from '@gantry/contract/kinds/model-deployment.ts';
import type { MonitorType } from '@gantry/contract/monitor/metrics.ts';
import { LABEL } from '@gantry/contract/names.ts';
import type { Cluster } from '../../core/kinds/open-cluster.ts';
import type { MeasuredKind } from '../../core/kinds/usage/usage.ts';
import { NODE } from '../../platform/kube/resources.ts';
import type { Platform } from '../../platform/open.ts';
import { NODE_OWNER, POD_OWNER } from '../../platform/prometheus/object-queries.ts';

export const MONITORED: Readonly<Record<MonitorType, KindFacts & MeasuredKind>> = {
  instance: gpuInstance,
  job,
  service: containerService,
  deployment: modelDeployment,
  processing: dataProcess,
  finetune: fineTune,
  evaluation,
  host: gpuHost,
};
const TYPES = Object.keys(MONITORED) as MonitorType[];

export function serveOwners({ metrics }: Pick<Platform, 'metrics'>, { cache }: Pick<Cluster, 'cache'>): void {
  const measured = (): { type: MonitorType; object: KubeObject }[] =>
    TYPES.flatMap((type) => cache.list<KubeObject>(MONITORED[type]).map((object) => ({ type, object })));
  const owner = (type: MonitorType, { metadata }: KubeObject) => ({
    namespace: metadata.namespace ?? '',
    kind: MONITORED[type].kind,
    object: metadata.name,
  });
  metrics.labelled(POD_OWNER, 'Whose each Pod of a tenant is.', ['namespace', 'pod', 'kind', 'object'], () =>
    measured().flatMap(({ type, object }) =>
      MONITORED[type].api.usage
        .partsOf(object)
        .flatMap(({ of }) => ('pod' in of ? [{ ...owner(type, object), pod: of.pod }] : [])),
    ),
  );
  metrics.labelled(NODE_OWNER, 'Which host has each leased node.', ['namespace', 'node', 'kind', 'object'], () =>
    cache.list<KubeObject>(gpuHost).flatMap((host) =>
      gpuHost.api.usage.partsOf(host).flatMap(({ of }) => {
        const node = 'node' in of ? of.node : '';
        const has = cache.reader.get(NODE, undefined, node)?.metadata.labels?.[LABEL.nodeHost];
        // A node that it had, or is about to have, may have somebody else's work on it.
        return has === identityOf(host) ? [{ ...owner('host', host), node }] : [];
      }),
    ),
  );
}
