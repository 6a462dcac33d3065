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
import type { ReadsData } from './reads-data.ts';
import { Shelf } from './shelf.ts';
import { TableOwner } from './table-owner.ts';
import { tableRoutes } from './table-routes.ts';
import { Uploads } from './uploads.ts';
import { type ReadsParts, VersionTables } from './version-tables.ts';
import { Versions } from './versions.ts';

export interface OpenDatasetsParts extends Pick<DatasetsParts, 'db' | 'clock' | 'usedBy'> {
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
}

export interface OpenDatasets {
  datasets: Datasets;
  versions: Versions;
  uploads: Uploads;
  tables: VersionTables;
  shelf: Shelf;
  routes: readonly Served[];
}

/** Before the stored files' start. */
export function openDatasets(parts: OpenDatasetsParts): OpenDatasets {
  const { db, clock, stored, sources, data } = parts;
  const { store, quotaGi, wake } = stored;
  if (store)
    stored.addOwner(
      new DatasetOwner({ ...parts, ...sources, buckets: new Buckets(), store, hasTables: data !== undefined }),
    );
  if (store && data) stored.addOwner(new TableOwner({ db, clock, reads: data }));
  const opened = {
    datasets: new Datasets({ ...parts, quotaGi, wake }),
    versions: new Versions({ db, store }),
    uploads: new Uploads({ ...parts, ...sources }),
    tables: new VersionTables({ db, clock, store, rows: parts.rows, data, wake }),
  };
  return {
    ...opened,
    shelf: new Shelf({ db, clock }),
    routes: [...datasetRoutes({ ...opened, credentials: sources.credentials }), ...tableRoutes(opened)],
  };
}
