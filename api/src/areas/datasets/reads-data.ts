// What datasets ask of an organisation's data server.
import type { DatasetSource } from '@gantry/contract/areas/datasets/datasets.ts';
import type { DataServers, ToRead } from '../../core/data-server/data-servers.ts';
import type { FileRow } from '../../core/files/files.ts';

export type ReadsData = Pick<
  DataServers,
  'profile' | 'part' | 'forget' | 'query' | 'find' | 'search' | 'diff' | 'bring' | 'retrieve'
>;

/** Files of the table of a version have an owner of their own. */
export const tableOwnerId = (versionId: string): string => `${versionId}.table`;

export const toRead = (versionId: string, files: readonly FileRow[]): ToRead => ({
  out: `out/${versionId}`,
  inputs: files.map(({ path, digest, sizeBytes }) => ({ name: path, digest: digest ?? '', sizeBytes })),
});

/** Of what a task has made, files in folders are no rows of its table: vectors, rejected rows and the like. */
export const inTable = (source: DatasetSource, { path }: Pick<FileRow, 'path'>): boolean =>
  source !== 'process' || !path.includes('/');
