// Rows of models as the API shows them, and lists of them narrowed and counted.

import type { ModelFacet } from '@gantry/contract/areas/models/model-facets.ts';
import type {
  ModelDetailView,
  ModelQuery,
  ModelState,
  ModelVersionView,
  ModelView,
} from '@gantry/contract/areas/models/models.ts';
import type { Language } from '@gantry/contract/fields/language.ts';
import { problemIn } from '@gantry/contract/http/problem-in.ts';
import type { CachedOn } from '@gantry/contract/models/cached-on.ts';
import type { FileRow } from '../../core/files/files.ts';
import { cursorSlice } from '../../platform/db/key-pages.ts';
import { type FacetValues, narrowed } from '../../platform/db/memory-facets.ts';
import type { models, modelVersions } from '../../platform/db/schema/models.ts';

/** Without the card, which weighs more than all else. */
export type ModelRow = Omit<typeof models.$inferSelect, 'card'>;
export type VersionRow = typeof modelVersions.$inferSelect;

export function versionView(
  row: VersionRow,
  files: readonly FileRow[],
  { language, isOwn, cachedOn = null }: { language: Language; isOwn: boolean; cachedOn?: CachedOn },
): ModelVersionView {
  const sum = (of: 'sizeBytes' | 'receivedBytes') => files.reduce((all, file) => all + file[of], 0);
  return {
    name: row.name,
    state: row.state,
    source: row.source,
    // A disk and its folders are the owner's own.
    repository: isOwn || row.source !== 'disk' ? row.repository : null,
    revision: isOwn || row.source !== 'disk' ? row.revision : null,
    problem: row.problem && {
      error: row.problem,
      message: problemIn(language, row.problem, row.problemArgs ?? {}),
    },
    ...factsView(row),
    size_bytes: sum('sizeBytes'),
    received_bytes: sum('receivedBytes'),
    files: files.map((file) => ({
      path: file.path,
      size_bytes: file.sizeBytes,
      received_bytes: file.receivedBytes,
      sha256: file.digest,
    })),
    creator: isOwn ? row.creatorId : null,
    create_time: row.createdAt.toISOString(),
    ready_time: row.readyAt?.toISOString() ?? null,
    cached_on: cachedOn,
  };
}

const factsView = (row: VersionRow | undefined) => ({
  format: row?.format ?? null,
  structure: row?.structure ?? null,
  parameters: row?.parameters ?? null,
  quantisation: row?.quantisation ?? null,
  context_length: row?.contextLength ?? null,
  weight_bytes: row?.weightBytes ?? null,
  kv_token_bytes: row?.kvBytesPerToken ?? null,
});

/** `versions` are the model's own. */
export function modelView(
  row: ModelRow,
  versions: readonly VersionRow[],
  sizes: ReadonlyMap<string, number>,
  isOwn: boolean,
): Omit<ModelView, 'deployed'> {
  const seen = isOwn ? versions : versions.filter(({ state }) => state === 'ready');
  const latest = latestOf(versions);
  return {
    id: row.id,
    is_own: isOwn,
    name: row.name,
    state: stateOf(versions),
    license: row.license,
    language: row.language,
    tags: row.tags,
    shelved: row.shelvedAt !== null,
    downloads: row.downloads,
    version_count: seen.length,
    latest_version: latest?.name ?? null,
    size_bytes: (latest && sizes.get(latest.id)) ?? 0,
    ...factsView(latest),
    create_time: row.createdAt.toISOString(),
    update_time: row.updatedAt.toISOString(),
  };
}

export function stateOf(versions: readonly Pick<VersionRow, 'state'>[]): ModelState {
  if (versions.some(({ state }) => state === 'ready')) return 'ready';
  if (versions.some(({ state }) => state !== 'failed')) return 'arriving';
  return versions.length === 0 ? 'empty' : 'abnormal';
}

/** The newest that is ready. */
export const latestOf = (versions: readonly VersionRow[]): VersionRow | undefined =>
  versions
    .filter(({ state }) => state === 'ready')
    .reduce<VersionRow | undefined>((a, b) => (a && (a.readyAt ?? 0) >= (b.readyAt ?? 0) ? a : b), undefined);

const FACET_VALUES: FacetValues<ModelView, ModelFacet> = {
  license: ({ license }) => [license],
  structure: ({ structure }) => [structure],
  language: ({ language }) => language,
  tag: ({ tags }) => tags,
  quantisation: ({ quantisation }) => [quantisation],
  format: ({ format }) => [format],
};

/** A page of these, and how many there are of each value that they can be narrowed to. */
export function pageOf(all: readonly ModelView[], query: ModelQuery) {
  const sought = query.search?.trim().toLowerCase() ?? '';
  const named = all.filter(({ name }) => name.toLowerCase().includes(sought));
  const { items: found, facets } = narrowed(named, FACET_VALUES, query);
  const { items, total, cursor } = cursorSlice(found.sort(orderOf(query)), query, ({ id }) => id);
  return { ...{ items, total }, extra: { cursor, facets } };
}

const orderOf = ({ order_by: by, order_type: type }: ModelQuery) => {
  const direction = type === 'desc' ? -1 : 1;
  return (a: ModelView, b: ModelView): number => {
    const [first, second] = [a[by] ?? -1, b[by] ?? -1];
    if (first !== second) return (first < second ? -1 : 1) * direction;
    return a.id < b.id ? -1 : 1;
  };
};

export const detailView = (model: ModelView, card: string, versions: readonly ModelVersionView[]): ModelDetailView => ({
  ...model,
  card,
  versions: [...versions],
});
