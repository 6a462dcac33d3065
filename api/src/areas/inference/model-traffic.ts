// The traffic of a caller's own deployment: its requests as all gateways counted them, and how fast its tokens came.
import { problem } from '@gantry/contract/http/problem.ts';
import { modelDeployment } from '@gantry/contract/kinds/model-deployment.ts';
import type { WatchCache } from '../../platform/kube/watch-cache.ts';
import type { Platform } from '../../platform/open.ts';
import type { TrafficStore } from '../../platform/relay/traffic-store.ts';
import type { CompletionRouteParts } from './completion-routes.ts';
import { readSpeed } from './usage-reads.ts';

/** Throws not_found. */
export const readModelTraffic =
  (
    { db, clock }: Pick<Platform, 'db' | 'clock'>,
    cache: Pick<WatchCache, 'get'>,
    traffic: Pick<TrafficStore, 'traffic'>,
  ): CompletionRouteParts['traffic'] =>
  async ({ organization }, id) => {
    const uid = cache.get(modelDeployment, organization.namespace, id)?.metadata.uid;
    if (uid === undefined) throw problem('not_found', { what: id });
    const of = { organizationId: organization.id, modelUid: uid, now: clock.now() };
    const [counted, tokens] = await Promise.all([traffic.traffic(uid), readSpeed(db, of)]);
    return { ...counted, tokens };
  };
