// The parts of this room, joined.
import { Buckets } from '../../core/files/sources/s3-source.ts';
import type { SealedCredentials } from '../../core/files/sources/sealed-credentials.ts';
import type { StoredFiles } from '../../core/files/stored-files.ts';
import type { Served } from '../../platform/http/serve.ts';
import type { Collected } from '../models/collected/collected.ts';
import { DatasetOwner } from './dataset-owner.ts';
import { datasetRoutes } from './dataset-routes.ts';
import type { SourceParts } from './dataset-sources.ts';
import { Datasets, type DatasetsParts } from './datasets.ts';
import { KnowledgeBases, type KnowledgeBasesParts } from './knowledge-bases.ts';
import { Processed } from './processed.ts';
import type { ReadsData } from './reads-data.ts';
import { Shelf } from './shelf.ts';
import { TableOwner } from './table-owner.ts';
import { tableRoutes } from './table-routes.ts';
import { TestQuestions, testQuestionRoutes } from './test-questions.ts';
import { Uploads } from './uploads.ts';
import { type ReadsParts, VersionTables } from './version-tables.ts';
import { Versions } from './versions.ts';

export interface OpenDatasetsParts extends Pick<DatasetsParts, 'db' | 'clock' | 'usedBy' | 'forgetWork'> {
  /** Where versions come from by themselves. */
  sources: Omit<SourceParts, 'db' | 'buckets' | 'credentials'> & { credentials: SealedCredentials };
  /** Where its versions' files are. */
  stored: StoredFiles;
  /** What deployments have collected, which versions are made of. */
  collected: Pick<Collected, 'rows' | 'read'>;
  /** What reads their data; absent: versions have files and no tables. */
  data?: ReadsData | undefined;
  /** What reads their tables; absent where there is no store. */
  rows?: ReadsParts | undefined;
  /** What finds the nearest vectors of large knowledge bases. */
  large?: KnowledgeBasesParts['large'];
}

export interface OpenDatasets {
  datasets: Datasets;
  versions: Versions;
  uploads: Uploads;
  tables: VersionTables;
  knowledge: KnowledgeBases;
  tests: TestQuestions;
  processed: Processed;
  shelf: Shelf;
  routes: readonly Served[];
}

/** Before the stored files' start. */
export function openDatasets(parts: OpenDatasetsParts): OpenDatasets {
  const { db, clock, stored, sources, data, large } = parts;
  const { blobs, quotaGi, wake, downloadsAtOnce } = stored;
  if (blobs)
    stored.addOwner(
      new DatasetOwner({ ...parts, ...sources, buckets: new Buckets(), blobs, hasTables: data !== undefined }),
    );
  if (blobs && data) stored.addOwner(new TableOwner({ db, clock, reads: data }));
  const opened = {
    datasets: new Datasets({ ...parts, quotaGi, wake }),
    versions: new Versions({ db, blobs }),
    uploads: new Uploads({ ...parts, ...sources }),
    tables: new VersionTables({ db, clock, blobs, rows: parts.rows, data, wake }),
  };
  const tests = new TestQuestions({ db });
  return {
    ...{ ...opened, tests },
    knowledge: new KnowledgeBases({ db, data, large }),
    processed: new Processed({ db, ...opened }),
    shelf: new Shelf({ db, clock }),
    routes: [
      ...datasetRoutes({ ...opened, credentials: sources.credentials, downloadsAtOnce }),
      ...tableRoutes({ ...opened, downloadsAtOnce }),
      ...testQuestionRoutes(tests),
    ],
  };
}
