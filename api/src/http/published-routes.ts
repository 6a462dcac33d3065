// Published services: links for members, and what is known of their requests.
import {
  PUBLISHED_ROUTES,
  type ReplicasView,
  type RequestView,
  type TrafficView,
} from '@gantry/contract/http/published.ts';
import type { Caller } from '../identity/caller.ts';
import type { Published } from '../published/published.ts';
import { type Served, serve } from './serve.ts';

export const publishedRoutes = ({
  links,
  traffic,
  requests,
  replicas,
}: {
  links: Pick<Published, 'issue'>;
  /** They throw not_found. */
  traffic: (caller: Caller, id: string) => Promise<TrafficView>;
  requests: (caller: Caller, id: string) => Promise<RequestView[]>;
  replicas: (caller: Caller, id: string) => ReplicasView;
}): Served[] => [
  serve(PUBLISHED_ROUTES.openServiceWeb, (call) => {
    call.audit.object = `ContainerService/${call.params.id}`;
    return links.issue(call.caller, call.params.id);
  }),
  serve(PUBLISHED_ROUTES.getServiceTraffic, (call) => traffic(call.caller, call.params.id)),
  serve(PUBLISHED_ROUTES.listServiceRequests, (call) => requests(call.caller, call.params.id)),
  serve(PUBLISHED_ROUTES.getServiceReplicas, (call) => replicas(call.caller, call.params.id)),
];
