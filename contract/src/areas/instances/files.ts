// The files of a disk, through the disk's own server. Paths are absolute, from the disk's root.
import * as z from 'zod';
import { defineRoute, type RouteFacts } from '../../http/define-route.ts';
import { pageQuery } from '../../http/paging.ts';
import type { ProblemCode } from '../../http/problem.ts';

const disk = z.strictObject({ id: z.string().min(1).max(63) });
const path = z.string().min(1).max(4096).meta({ description: 'Such as /folder/file.' });
const uploadId = z
  .string()
  .regex(/^[A-Za-z0-9_-]{8,64}$/)
  .meta({ description: "The client's own, for this file and this content." });

export const fileEntry = z.object({
  name: z.string(),
  type: z.enum(['folder', 'file', 'link', 'upload', 'other']),
  size_bytes: z.number(),
  modified_at: z.string(),
  target: z.string().optional().meta({ description: 'Of a link: what it says.' }),
  leads_to: z.enum(['folder', 'file', 'other', 'outside', 'nothing']).optional(),
  encoded: z.string().optional().meta({ description: 'Of a name that is no UTF-8: its bytes, percent-encoded.' }),
});
export type FileEntry = z.output<typeof fileEntry>;

/** An entry, and the folder that it is in. */
const foundEntry = fileEntry.extend({ folder: z.string() });
export type FoundEntry = z.output<typeof foundEntry>;

const tag = 'files';
const GETTING_THERE = ['files_in_use', 'files_preparing', 'files_unavailable'] as const satisfies ProblemCode[];
const PATHS = ['file_path_rule', 'file_leads_outside', 'file_refused', 'file_busy'] as const satisfies ProblemCode[];
const CHANGES = ['file_exists', 'file_wrong_kind', 'disk_full'] as const satisfies ProblemCode[];
const UPLOADS = ['upload_not_understood', 'upload_offset', 'upload_gone', 'file_too_large'] as const;
/** Members who may not use a disk may not read it either: their roles on the cluster say so. */
const access = { right: 'use' } as const satisfies RouteFacts['access'];

export const FILE_ROUTES = {
  listFiles: defineRoute({
    id: 'listFiles',
    feature: 'files',
    method: 'GET',
    path: '/stor/v1/data-disk/{id}/filesystem/dir',
    tag,
    summary: 'One folder of a disk; what is used of it and in all is in `extra`.',
    access,
    params: disk,
    query: z.strictObject({
      ...pageQuery(100),
      path: path.default('/'),
      sort: z.enum(['name', 'size', 'time', 'type']).default('type'),
      order: z.enum(['asc', 'desc']).default('asc'),
    }),
    answer: { list: fileEntry },
    problems: [...GETTING_THERE, ...PATHS, 'file_wrong_kind'],
  }),
  makeFolder: defineRoute({
    id: 'makeFolder',
    feature: 'files',
    method: 'POST',
    path: '/stor/v1/data-disk/{id}/filesystem/dir',
    tag,
    summary: 'Makes a folder; the one above must exist.',
    access,
    params: disk,
    body: z.strictObject({ path }),
    answer: { text: 'ok' },
    status: 201,
    problems: [...GETTING_THERE, ...PATHS, ...CHANGES],
  }),
  removeFolder: defineRoute({
    id: 'removeFolder',
    feature: 'files',
    method: 'DELETE',
    path: '/stor/v1/data-disk/{id}/filesystem/dir',
    tag,
    summary: 'Removes a folder with all that is in it.',
    access,
    params: disk,
    query: z.strictObject({ path }),
    answer: { text: 'ok' },
    problems: [...GETTING_THERE, ...PATHS, 'file_wrong_kind'],
    exempt: true,
  }),
  renameFile: defineRoute({
    id: 'renameFile',
    feature: 'files',
    method: 'POST',
    path: '/stor/v1/data-disk/{id}/filesystem/rename',
    tag,
    summary: 'Renames or moves a file or folder within the disk.',
    access,
    params: disk,
    body: z.strictObject({ path, to: path, overwrite: z.boolean().default(false) }),
    answer: { text: 'ok' },
    problems: [...GETTING_THERE, ...PATHS, ...CHANGES],
  }),
  downloadFile: defineRoute({
    id: 'downloadFile',
    feature: 'files',
    method: 'GET',
    path: '/stor/v1/data-disk/{id}/filesystem/file',
    tag,
    summary: 'The content of a file; Range and If-None-Match are understood.',
    access,
    params: disk,
    query: z.strictObject({ path }),
    answer: { file: 'application/octet-stream' },
    problems: [...GETTING_THERE, ...PATHS, 'file_wrong_kind', 'range_outside'],
    exempt: true,
  }),
  zipFolder: defineRoute({
    id: 'zipFolder',
    feature: 'files',
    method: 'GET',
    path: '/stor/v1/data-disk/{id}/filesystem/zip',
    tag,
    summary: 'A folder as an uncompressed zip, streamed; links, pipes, sockets and devices are left out.',
    access,
    params: disk,
    query: z.strictObject({ path }),
    answer: { file: 'application/zip' },
    problems: [...GETTING_THERE, ...PATHS, 'file_wrong_kind', 'folder_too_large'],
    exempt: true,
  }),
  searchFiles: defineRoute({
    id: 'searchFiles',
    feature: 'files',
    method: 'GET',
    path: '/stor/v1/data-disk/{id}/filesystem/search',
    tag,
    summary: 'Names below a folder that contain a text, in any case; `complete` is false if the search ended early.',
    access,
    params: disk,
    query: z.strictObject({ path: path.default('/'), text: z.string().min(1).max(255) }),
    answer: { result: z.object({ items: z.array(foundEntry), complete: z.boolean() }) },
    problems: [...GETTING_THERE, ...PATHS, 'file_wrong_kind'],
  }),
  copyFile: defineRoute({
    id: 'copyFile',
    feature: 'files',
    method: 'POST',
    path: '/stor/v1/data-disk/{id}/filesystem/copy',
    tag,
    summary: 'Copies a file, a link or a folder with its content within the disk; a caller who goes ends the copy.',
    access,
    params: disk,
    body: z.strictObject({ path, to: path, overwrite: z.boolean().default(false) }),
    answer: { text: 'ok' },
    status: 201,
    problems: [...GETTING_THERE, ...PATHS, ...CHANGES, 'folder_too_large'],
    exempt: true,
  }),
  uploadFile: defineRoute({
    id: 'uploadFile',
    feature: 'files',
    method: 'PUT',
    path: '/stor/v1/data-disk/{id}/filesystem/file',
    tag,
    summary: 'Writes a file from the body: whole, or with `upload` and Content-Range in pieces that can be resumed.',
    access,
    params: disk,
    query: z.strictObject({ path, overwrite: z.stringbool().default(false), upload: uploadId.optional() }),
    answer: {
      result: z.object({
        complete: z.boolean(),
        offset: z.number().optional().meta({ description: 'Where the next piece begins.' }),
        total: z.number().optional(),
      }),
    },
    problems: [...GETTING_THERE, ...PATHS, ...CHANGES, ...UPLOADS],
    exempt: true,
    upload: true,
  }),
  removeFile: defineRoute({
    id: 'removeFile',
    feature: 'files',
    method: 'DELETE',
    path: '/stor/v1/data-disk/{id}/filesystem/file',
    tag,
    summary: 'Removes a file, a link, or an unfinished upload by its listed name.',
    access,
    params: disk,
    query: z.strictObject({ path }),
    answer: { text: 'ok' },
    problems: [...GETTING_THERE, ...PATHS, 'file_wrong_kind'],
  }),
  getUpload: defineRoute({
    id: 'getUpload',
    feature: 'files',
    method: 'GET',
    path: '/stor/v1/data-disk/{id}/filesystem/upload',
    tag,
    summary: 'Where an unfinished upload goes on.',
    access,
    params: disk,
    query: z.strictObject({ path, upload: uploadId }),
    answer: { result: z.object({ offset: z.number() }) },
    problems: [...GETTING_THERE, ...PATHS, ...UPLOADS],
  }),
  giveUpUpload: defineRoute({
    id: 'giveUpUpload',
    feature: 'files',
    method: 'DELETE',
    path: '/stor/v1/data-disk/{id}/filesystem/upload',
    tag,
    summary: 'Removes what an unfinished upload has brought.',
    access,
    params: disk,
    query: z.strictObject({ path, upload: uploadId }),
    answer: { text: 'ok' },
    problems: [...GETTING_THERE, ...PATHS, ...UPLOADS],
  }),
};
