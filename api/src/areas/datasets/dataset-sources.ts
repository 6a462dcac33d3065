// Where versions of datasets come from by themselves: one row for each kind of source.
import { type Problem, problem } from '@gantry/contract/http/problem.ts';
import type { Source } from '../../core/files/source.ts';
import { diskSource } from '../../core/files/sources/disk-source.ts';
import type { Disks } from '../../core/files/sources/disks.ts';
import type { Hub } from '../../core/files/sources/hub.ts';
import { lastWordOf } from '../../core/files/sources/last-word.ts';
import { s3Keys } from '../../core/files/sources/s3-keys.ts';
import { addressOf, type Buckets } from '../../core/files/sources/s3-source.ts';
import { HUB_TOKEN, type SealedCredentials } from '../../core/files/sources/sealed-credentials.ts';
import type { Database } from '../../platform/db/open.ts';
import type { DatasetAsked } from '../../platform/db/schema/datasets.ts';
import type { VersionRow } from './dataset-rows.ts';
import { DATASET_TAKING } from './dataset-taking.ts';

export interface SourceParts {
  db: Database;
  hub: Hub | undefined;
  disks: Disks;
  credentials: Pick<SealedCredentials, 'read'>;
  buckets: Pick<Buckets, 'source'>;
  /** What runs of tasks have made, still in their Pods. Absent: no task runs here. */
  made?:
    | ((asked: AskedOf<'process'>, whose: { organizationId: string; signal: AbortSignal }) => Promise<Source>)
    | undefined;
}

export type AskedOf<Kind> = Extract<DatasetAsked, { source: Kind }>;

interface SourceRow<Asked> {
  open(
    parts: SourceParts,
    asked: Asked,
    whose: { organizationId: string; creatorId: string; signal: AbortSignal },
  ): Promise<Source>;
  /** As people read it. */
  ref(asked: Asked): string;
}

const SOURCES: { readonly [Kind in DatasetAsked['source']]: SourceRow<AskedOf<Kind>> } = {
  hub: {
    async open({ hub, credentials }, { repository, revision, include }, { organizationId, signal }) {
      if (!hub) throw problem('model_hub_off');
      const token = await credentials.read(organizationId, HUB_TOKEN);
      return hub.source({
        ...{ of: 'datasets', repository, revision, include, token, signal },
        taking: DATASET_TAKING,
      });
    },
    ref: ({ repository, revision }) => `${repository}@${revision}`,
  },
  disk: {
    open: async (parts, asked, whose) => diskSource(parts, { ...asked, ...whose, taking: DATASET_TAKING }),
    ref: ({ disk, folder }) => `${disk}:${folder}`,
  },
  s3: {
    async open({ buckets, credentials }, { credentials: name, ...asked }, { organizationId, signal }) {
      const keys = name === null ? undefined : await s3Keys(credentials, organizationId, name);
      return buckets.source({ ...asked, keys, signal, taking: DATASET_TAKING });
    },
    ref: addressOf,
  },
  process: {
    async open({ made }, asked, whose) {
      if (!made) throw problem('dataset_source_gone', { what: asked.task });
      return made(asked, whose);
    },
    ref: ({ task }) => task,
  },
};

const rowOf = (asked: DatasetAsked) => SOURCES[asked.source] as SourceRow<DatasetAsked>;

export const openSource = (
  parts: SourceParts,
  asked: DatasetAsked,
  whose: { organizationId: string; creatorId: string; signal: AbortSignal },
): Promise<Source> => rowOf(asked).open(parts, asked, whose);

export const sourceRef = (asked: DatasetAsked): string => rowOf(asked).ref(asked);

/** For good: of a hub, the commit is fetched that its branch was at. */
export const pinned = (asked: DatasetAsked, revision: string): DatasetAsked =>
  asked.source === 'hub' ? { ...asked, revision } : asked;

export const sourceLastWord = ({ asked, sourceRef: what }: VersionRow, error: unknown): Problem =>
  asked && asked.source !== 'process'
    ? lastWordOf({ source: asked.source, what: what ?? '' }, error)
    : problem('dataset_source_gone', { what: what ?? '' });
