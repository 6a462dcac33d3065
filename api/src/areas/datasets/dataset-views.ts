// Rows of datasets as the API shows them.

import type { DatasetFileView, DatasetVersionView, DatasetView } from '@gantry/contract/areas/datasets/datasets.ts';
import type { DatasetProfileView } from '@gantry/contract/areas/datasets/tables.ts';
import type { Language } from '@gantry/contract/fields/language.ts';
import { problemIn } from '@gantry/contract/http/problem-in.ts';
import type { FileRow } from '../../core/files/files.ts';
import type { DatasetRow, ProfileRow, Sums, VersionRow, Versions } from './dataset-rows.ts';

const NO_FILES: Sums = { files: 0, sizeBytes: 0, receivedBytes: 0 };

export const versionView = (
  row: VersionRow,
  sums: ReadonlyMap<string, Sums>,
  { language, isOwn, profiles }: { language: Language; isOwn: boolean; profiles: ReadonlyMap<string, ProfileRow> },
): DatasetVersionView => {
  const { files, sizeBytes, receivedBytes } = sums.get(row.id) ?? NO_FILES;
  return {
    version: row.number,
    ...{ state: row.state, step: row.step, source: row.source, message: row.message },
    source_ref: isOwn ? row.sourceRef : null,
    problem: problemView(row, language),
    ...{ digest: row.digest, format: row.format, rows: row.rows },
    profile: profileView(profiles.get(row.id), language),
    knowledge: knowledgeView(row),
    ...{ file_count: files, size_bytes: sizeBytes, received_bytes: receivedBytes },
    creator: isOwn ? row.creatorId : null,
    create_time: row.createdAt.toISOString(),
    ready_time: row.readyAt?.toISOString() ?? null,
  };
};

function knowledgeView({ knowledge }: VersionRow): DatasetVersionView['knowledge'] {
  if (!knowledge) return null;
  const { model, dimensions, chunks } = knowledge;
  return { model, dimensions, chunks };
}

function profileView(row: ProfileRow | undefined, language: Language): DatasetProfileView | null {
  if (!row) return null;
  const isRunning = row.state === 'fetching' || row.state === 'checking';
  return {
    ...{ state: isRunning ? 'running' : row.state, step: row.step, done: row.done, of: row.of },
    ...{ problem: problemView(row, language), rejected: row.rejected, parts: row.dataParts },
  } as DatasetProfileView;
}

const problemView = (
  { problem: error, problemArgs }: Pick<VersionRow, 'problem' | 'problemArgs'>,
  language: Language,
) => error && { error, message: problemIn(language, error, problemArgs ?? {}) };

export function datasetView(
  row: Omit<DatasetRow, 'card'>,
  { state, count, ready, latest }: Versions,
  sums: ReadonlyMap<string, Sums>,
  isOwn: boolean,
): DatasetView {
  return {
    id: row.id,
    is_own: isOwn,
    ...{ name: row.name, type: row.type, state },
    ...{ license: row.license, language: row.language, tags: row.tags },
    shelved: row.shelvedAt !== null,
    managers_only: row.managersOnly,
    downloads: row.downloads,
    version_count: isOwn ? count : ready,
    latest_version: latest?.number ?? null,
    ...{ source: latest?.source ?? null, format: latest?.format ?? null, rows: latest?.rows ?? null },
    size_bytes: (latest && sums.get(latest.id)?.sizeBytes) ?? 0,
    create_time: row.createdAt.toISOString(),
    update_time: row.updatedAt.toISOString(),
  };
}

export const fileView = (file: FileRow): DatasetFileView => ({
  path: file.path,
  size_bytes: file.sizeBytes,
  received_bytes: file.receivedBytes,
  sha256: file.digest,
});
