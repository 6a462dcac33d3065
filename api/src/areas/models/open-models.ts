// The parts of this room, joined.
import type { Clock } from '@gantry/kube/clock.ts';
import type { Disks } from '../../core/files/sources/disks.ts';
import { Hub } from '../../core/files/sources/hub.ts';
import { type CredentialsParts, SealedCredentials } from '../../core/files/sources/sealed-credentials.ts';
import type { StoredFiles } from '../../core/files/stored-files.ts';
import type { Database } from '../../platform/db/open.ts';
import { Turn } from '../../platform/db/turn.ts';
import { Collected, type CollectedParts } from './collected/collected.ts';
import { Collector } from './collected/collector.ts';
import { Deployments, type DeploymentsParts } from './deployments.ts';
import { Downloads } from './downloads.ts';
import { Evaluated } from './evaluated.ts';
import { ModelOwner, type ModelOwnerParts } from './model-owner.ts';
import { Models, type ModelsParts } from './models.ts';
import { Shelf } from './shelf.ts';
import { Tuned } from './tuned.ts';
import { Uploads } from './uploads.ts';

export interface ModelParts {
  db: Database;
  clock: Clock;
  /** Where its versions' files are. */
  stored: StoredFiles;
  hubUrl: string;
  /** Disks of organisations, which versions may come from. */
  disks: Disks;
  secrets: CredentialsParts['secrets'];
  cluster: DeploymentsParts['cluster'];
  engineImages: DeploymentsParts['engineImages'];
  scoresOf: DeploymentsParts['scoresOf'];
  made?: ModelOwnerParts['made'];
  usedBy: ModelsParts['usedBy'];
  cachedOn: ModelsParts['cachedOn'];
  deployment: ConstructorParameters<typeof Evaluated>[0]['deployment'];
  /** Whether an organisation has a deployment of this name. */
  hasDeployment: CollectedParts['exists'];
  log: { info(facts: object, text: string): void; warn(facts: object, text: string): void };
}

export interface Sources {
  /** Undefined where the installation has none. */
  hub: Hub | undefined;
  disks: Disks;
  credentials: SealedCredentials;
}

export interface OpenModels {
  models: Models;
  deployments: Pick<Deployments, 'fit' | 'fitsOn' | 'demandFit'>;
  uploads: Uploads;
  tuned: Tuned;
  evaluated: Evaluated;
  downloads: Downloads;
  downloadsAtOnce: StoredFiles['downloadsAtOnce'];
  /** Which datasets lean on too. */
  sources: Sources;
  shelf: Shelf;
  collector: Collector;
  collected: Collected;
  hubUrl: string;
  start(): void;
  stop(): Promise<void>;
}

export function openModels({ stored, hubUrl, ...parts }: ModelParts): OpenModels {
  const { db, clock } = parts;
  const { store, blobs, quotaGi, wake } = stored;
  const hub = hubUrl === '' ? undefined : new Hub(hubUrl);
  const sources = { hub, disks: parts.disks, credentials: new SealedCredentials(parts) };
  if (store && blobs) stored.addOwner(new ModelOwner({ ...parts, ...sources, store, blobs }));
  const deployments = new Deployments({ ...parts, blobs });
  const serving = new Turn(parts, 'deployments');
  const models = new Models({ ...parts, quotaGi, wake });
  const uploads = new Uploads({ ...parts, stored, hasHub: hub !== undefined });
  const collector = new Collector({ ...parts, store, quotaGi });
  return {
    models,
    deployments,
    ...{ uploads, tuned: new Tuned({ db, models, uploads }) },
    evaluated: new Evaluated(parts),
    downloads: new Downloads({ models, blobs }),
    downloadsAtOnce: stored.downloadsAtOnce,
    sources,
    shelf: new Shelf({ db, clock }),
    collector,
    collected: new Collected({ db, clock, store, exists: parts.hasDeployment }),
    hubUrl,
    start() {
      serving.start((signal) => deployments.run(signal));
      collector.start();
    },
    async stop() {
      await collector.stop();
      await serving.stop();
    },
  };
}
