// The parts of this room, joined.
import type { Clock } from '@gantry/kube/clock.ts';
import type { Database } from '../../platform/db/open.ts';
import { Turn } from '../../platform/db/turn.ts';
import type { ObjectStore } from '../../platform/object-store/object-store.ts';
import type { Disks } from '../instances/files/disks.ts';
import { Arrivals, type ArrivalsParts } from './arrivals.ts';
import { Collected, type CollectedParts } from './collected/collected.ts';
import { Collector } from './collected/collector.ts';
import { Deployments, type DeploymentsParts } from './deployments.ts';
import { Downloads } from './downloads.ts';
import { Hub } from './hub.ts';
import { HubTokens, type HubTokensParts } from './hub-tokens.ts';
import { Models, type ModelsParts } from './models.ts';
import { Shelf } from './shelf.ts';
import { StorageMeter, type StorageMeterParts } from './storage-meter.ts';
import { Uploads } from './uploads.ts';

export interface ModelParts {
  db: Database;
  clock: Clock;
  /** Undefined where the installation has none: nothing arrives then. */
  store: ObjectStore | undefined;
  hubUrl: string;
  /** Disks of organisations, which versions may come from. */
  disks: Disks;
  secrets: HubTokensParts['secrets'];
  quotaGi(organizationId: string): number | undefined;
  cluster: DeploymentsParts['cluster'];
  engineImages: DeploymentsParts['engineImages'];
  usedBy: ModelsParts['usedBy'];
  cachedOn: ModelsParts['cachedOn'];
  /** Whether an organisation has a deployment of this name. */
  hasDeployment: CollectedParts['exists'];
  turnMs?: ArrivalsParts['turnMs'];
  /** The price and charge of keeping models. */
  storage: Pick<StorageMeterParts, 'priceOf' | 'charge'>;
  log: { info(facts: object, text: string): void; warn(facts: object, text: string): void };
}

export interface OpenModels {
  models: Models;
  deployments: Pick<Deployments, 'fit' | 'demandFit'>;
  uploads: Uploads;
  downloads: Downloads;
  tokens: HubTokens;
  shelf: Shelf;
  collector: Collector;
  collected: Collected;
  hubUrl: string;
  start(): void;
  stop(): Promise<void>;
}

export function openModels({ store, hubUrl, ...parts }: ModelParts): OpenModels {
  const { db, clock } = parts;
  const tokens = new HubTokens(parts);
  const hub = hubUrl === '' ? undefined : new Hub(hubUrl);
  const arrivals = store && new Arrivals({ ...parts, store, hub, tokenOf: (id) => tokens.tokenOf(id) });
  const deployments = new Deployments({ ...parts, store });
  const turn = new Turn(parts, 'models');
  const serving = new Turn(parts, 'deployments');
  const metering = new Turn(parts, 'model-storage');
  const meter = new StorageMeter({ ...parts, ...parts.storage });
  const wake = () => arrivals?.wake();
  const models = new Models({ ...parts, wake });
  const collector = new Collector({ ...parts, store });
  return {
    models,
    deployments,
    uploads: new Uploads({ ...parts, store, hasHub: hub !== undefined, wake }),
    downloads: new Downloads({ models, store }),
    tokens,
    shelf: new Shelf({ db, clock }),
    collector,
    collected: new Collected({ db, store, exists: parts.hasDeployment }),
    hubUrl,
    start() {
      if (arrivals) turn.start((signal) => arrivals.work(signal));
      serving.start((signal) => deployments.run(signal));
      metering.start((signal) => meter.run(signal));
      collector.start();
    },
    async stop() {
      await collector.stop();
      await serving.stop();
      await metering.stop();
      if (arrivals) await turn.stop();
      store?.close();
    },
  };
}
