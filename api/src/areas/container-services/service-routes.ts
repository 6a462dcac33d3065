// Published services: links for members, and what is known of their requests.

import {
  type ReplicasView,
  type RequestView,
  type ScalingRecordView,
  SERVICE_ROUTES,
  type TrafficView,
} from '@gantry/contract/areas/container-services/container-services.ts';
import type { Language } from '@gantry/contract/fields/language.ts';
import { wordOf } from '@gantry/contract/fields/stored.ts';
import { SCALING_CAUSES } from '@gantry/contract/kinds/container-service-words.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { type Served, serve } from '../../platform/http/serve.ts';
import type { ScalingRecord } from '../autoscaling/scaling-records.ts';
import type { Activator } from './activator.ts';

export const serviceRoutes = ({
  links,
  traffic,
  requests,
  replicas,
  scaling,
}: {
  links: Pick<Activator, 'issue'>;
  /** They throw not_found. */
  traffic: (caller: Caller, id: string) => Promise<TrafficView>;
  requests: (caller: Caller, id: string) => Promise<RequestView[]>;
  replicas: (caller: Caller, id: string) => ReplicasView;
  scaling: (caller: Caller, kind: 'service' | 'deployment', id: string) => Promise<readonly ScalingRecord[]>;
}): Served[] => [
  serve(SERVICE_ROUTES.openServiceWeb, (call) => {
    call.audit.object = `ContainerService/${call.params.id}`;
    return links.issue(call.caller, call.params.id);
  }),
  serve(SERVICE_ROUTES.getServiceTraffic, (call) => traffic(call.caller, call.params.id)),
  serve(SERVICE_ROUTES.listServiceRequests, (call) => requests(call.caller, call.params.id)),
  serve(SERVICE_ROUTES.getServiceReplicas, (call) => replicas(call.caller, call.params.id)),
  serve(SERVICE_ROUTES.listServiceScaling, async ({ caller, params, language }) =>
    (await scaling(caller, 'service', params.id)).map((one) => scalingView(one, language)),
  ),
  serve(SERVICE_ROUTES.listDeploymentScaling, async ({ caller, params, language }) =>
    (await scaling(caller, 'deployment', params.id)).map((one) => scalingView(one, language)),
  ),
];

const scalingView = (
  { at, before, replicas, because, value, accountName }: ScalingRecord,
  language: Language,
): ScalingRecordView => ({
  ...{ time: at.toISOString(), before: before ?? null, replicas },
  by: because !== null ? 'system' : before === undefined ? null : 'manual',
  ...{ cause: because, value, account_name: accountName },
  cause_label: because === null ? null : wordOf(SCALING_CAUSES, because, language),
});
