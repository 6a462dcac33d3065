// Datasets for visitors: what staff show to everybody, with statistics and first rows where a data server has read them before. Nothing is
// started for a visitor: what nobody has read is not there.
import type { DatasetDetailView, DatasetView } from '@gantry/contract/areas/datasets/datasets.ts';
import type { DatasetStatisticsView } from '@gantry/contract/areas/datasets/tables.ts';
import {
  type LibraryDatasetDetailView,
  type LibraryDatasetQuery,
  type LibraryDatasetView,
  MOST_PREVIEW_COLUMNS,
  MOST_PREVIEW_ROWS,
} from '@gantry/contract/areas/portal/library.ts';
import type { Language } from '@gantry/contract/fields/language.ts';
import { problem } from '@gantry/contract/http/problem.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { croissantOf, type ListedFile } from './croissant.ts';
import { excerptOf, plainOf } from './plain-markdown.ts';
import { byMost, ORDERS, ShownThings } from './shown-things.ts';
import { VISITOR } from './visitor.ts';

interface OfVersion {
  id: string;
  version: string;
}

export interface DatasetLibraryParts {
  clock: Clock;
  datasets: {
    shown(caller: Caller): Promise<DatasetView[]>;
    shownCards(ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
    get(caller: Caller, id: string, language: Language): Promise<DatasetDetailView>;
  };
  versions: {
    files(caller: Caller, of: OfVersion, page: { page: number; size: number }): Promise<{ items: ListedFile[] }>;
  };
  tables: {
    statistics(caller: Caller, of: OfVersion): Promise<DatasetStatisticsView>;
    rows(
      caller: Caller,
      of: OfVersion,
      asked: { kind: 'data'; from: number; size: number },
      signal: AbortSignal,
    ): Promise<Uint8Array>;
  };
  /** The API's address, as visitors reach it. */
  publicUrl: string;
}

type Seen = Omit<LibraryDatasetView, 'summary' | 'name_ranges'>;

const FACETS = {
  type: ({ type }: Seen) => [type],
  format: ({ format }: Seen) => [format],
  license: ({ license }: Seen) => [license],
  language: ({ language }: Seen) => language,
};
/** Answers with the first rows, which never change for a version. */
const MOST_KEPT = 50;
const MOST_KEPT_BYTES = 256 * 1024;
/** In metadata. */
const MOST_FILES = 1_000;

export class DatasetLibrary {
  readonly #parts: DatasetLibraryParts;
  readonly #shown: ShownThings<Seen>;
  /** By version, the oldest first. */
  readonly #rows = new Map<string, Uint8Array>();

  constructor(parts: DatasetLibraryParts) {
    this.#parts = parts;
    const { clock, datasets } = parts;
    this.#shown = new ShownThings({
      clock,
      read: async () => (await datasets.shown(VISITOR)).map(seen),
      cards: (ids) => datasets.shownCards(ids),
    });
  }

  count(): Promise<number> {
    return this.#shown.count();
  }

  page({ order_by, ...query }: LibraryDatasetQuery) {
    const order =
      order_by === 'rows' ? byMost<Seen>(({ rows }) => rows ?? null) : ORDERS[order_by as keyof typeof ORDERS];
    return this.#shown.page(query, FACETS, query, order);
  }

  /** Throws not_found for one that not everybody is shown. */
  async read(id: string, language: Language): Promise<LibraryDatasetDetailView> {
    const dataset = await this.#parts.datasets.get(VISITOR, id, language);
    const { latest } = dataset;
    const hasTable = latest?.profile?.state === 'ready';
    return {
      ...{ ...seen(dataset), name_ranges: [], summary: excerptOf(plainOf(dataset.card.slice(0, 4_000)), 0, 160) },
      card: dataset.card,
      ...{ source: dataset.source, digest: latest?.digest ?? null, file_count: latest?.file_count ?? 0 },
      statistics: hasTable ? await this.#statistics(id, `${latest.version}`) : null,
      has_rows: hasTable,
    };
  }

  /** The JSON of the first rows. Throws not_found, dataset_no_table, model_store_off, model_store_away. */
  async rows(id: string, language: Language, signal: AbortSignal): Promise<Uint8Array> {
    const { latest } = await this.#parts.datasets.get(VISITOR, id, language);
    if (latest?.profile?.state !== 'ready') throw problem('dataset_no_table');
    const key = `${id}/${latest.version}`;
    const known = this.#rows.get(key);
    if (known) return known;
    const of = { id, version: `${latest.version}` };
    const json = await this.#parts.tables.rows(VISITOR, of, { kind: 'data', from: 0, size: MOST_PREVIEW_ROWS }, signal);
    if (json.length <= MOST_KEPT_BYTES) this.#rows.set(key, json);
    const [oldest] = this.#rows.keys();
    if (this.#rows.size > MOST_KEPT && oldest !== undefined) this.#rows.delete(oldest);
    return json;
  }

  /** Throws not_found. */
  async croissant(id: string, language: Language): Promise<Record<string, unknown>> {
    const { datasets, versions, publicUrl } = this.#parts;
    const dataset = await datasets.get(VISITOR, id, language);
    const { latest } = dataset;
    const of = { id, version: `${latest?.version ?? 1}` };
    const files = latest ? (await versions.files(VISITOR, of, { page: 1, size: MOST_FILES })).items : [];
    const columns = latest?.profile?.state === 'ready' ? (await this.#statistics(id, of.version)).columns : [];
    const description = plainOf(dataset.card.slice(0, 4_000));
    return croissantOf({
      ...dataset,
      description,
      version: of.version,
      digest: latest?.digest ?? null,
      files,
      columns,
      publicUrl,
    });
  }

  async #statistics(id: string, version: string): Promise<Omit<DatasetStatisticsView, 'problems'>> {
    const { problems: _, columns, ...statistics } = await this.#parts.tables.statistics(VISITOR, { id, version });
    return { ...statistics, columns: columns.slice(0, MOST_PREVIEW_COLUMNS) };
  }
}

const seen = (dataset: DatasetView): Seen => ({
  ...{ id: dataset.id, name: dataset.name, type: dataset.type, format: dataset.format, license: dataset.license },
  ...{ language: [...dataset.language], tags: [...dataset.tags], rows: dataset.rows, size_bytes: dataset.size_bytes },
  ...{ downloads: dataset.downloads, version: dataset.latest_version, update_time: dataset.update_time },
});
