// The parts of this room, joined.
import type { StoredFiles } from '../../core/files/stored-files.ts';
import type { Served } from '../../platform/http/serve.ts';
import type { Collected } from '../models/collected/collected.ts';
import { DatasetOwner } from './dataset-owner.ts';
import { datasetRoutes } from './dataset-routes.ts';
import type { SourceParts } from './dataset-sources.ts';
import { Datasets, type DatasetsParts } from './datasets.ts';
import { Shelf } from './shelf.ts';
import { Uploads } from './uploads.ts';
import { Versions } from './versions.ts';

export interface OpenDatasetsParts extends Pick<DatasetsParts, 'db' | 'clock' | 'usedBy'> {
  /** Where versions come from by themselves. */
  sources: Omit<SourceParts, 'db'>;
  /** Where its versions' files are. */
  stored: StoredFiles;
  /** What deployments have collected, which versions are made of. */
  collected: Pick<Collected, 'rows' | 'read'>;
}

export interface OpenDatasets {
  datasets: Datasets;
  versions: Versions;
  uploads: Uploads;
  shelf: Shelf;
  routes: readonly Served[];
}

/** Before the stored files' start. */
export function openDatasets(parts: OpenDatasetsParts): OpenDatasets {
  const { db, clock, stored, sources } = parts;
  const { store, quotaGi, wake } = stored;
  if (store) stored.addOwner(new DatasetOwner({ ...parts, ...sources, store }));
  const opened = {
    datasets: new Datasets({ ...parts, quotaGi, wake }),
    versions: new Versions({ db, store }),
    uploads: new Uploads({ ...parts, ...sources }),
  };
  return { ...opened, shelf: new Shelf({ db, clock }), routes: datasetRoutes(opened) };
}
