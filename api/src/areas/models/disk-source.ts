// A folder of an organisation's disk as a source: read as the member who asked for it. Its server may be a tenant's own program, so
// its answers are data like any other; a file that changes while it is copied is refused.

import { MOST_FILE_BYTES, MOST_FILES } from '@gantry/contract/areas/models/models.ts';
import { Problem, problem } from '@gantry/contract/http/problem.ts';
import type { FileRow } from '../../core/files/files.ts';
import { type Source, SourceAway, type SourceFile } from '../../core/files/source.ts';
import type { DiskMember, Disks } from '../instances/files/disks.ts';
import { isPickleName } from './formats/pickle.ts';
import { isModelPath, isWeights, matching } from './source.ts';

interface DiskAsked {
  member: DiskMember;
  disk: string;
  folder: string;
  include: readonly string[];
  signal: AbortSignal;
  /** Stores which content a file's first byte was of. */
  remember(file: FileRow, tag: string): Promise<void>;
}

/** A folder that has more is no model's. */
const MOST_FOLDERS = 1000;
const PAGE = 1000;
/** As deep as a listing reaches. */
const MOST_PAGES = 200;

export const diskSource = (disks: Disks, asked: DiskAsked): Source => ({
  async plan() {
    const isMatch = matching(asked.include);
    const files = await filesIn(disks, asked, (path) => isMatch(path) && !isPickleName(path));
    if (!files.some(isWeights)) throw problem('model_disk_empty', { folder: asked.folder });
    return { revision: asked.folder, files, license: null, language: [], tags: [] };
  },
  bytes: (file, from) => bytesOf(disks, asked, file, from),
});

async function filesIn(disks: Disks, asked: DiskAsked, isWanted: (path: string) => boolean): Promise<SourceFile[]> {
  // By path: a name may move from one page to the next while they are read.
  const files = new Map<string, SourceFile>();
  const folders = [''];
  // Grows while it is gone through.
  for (const below of folders) {
    for await (const { path, type, sizeBytes } of entriesOf(disks, asked, below)) {
      if (type === 'folder') folders.push(path);
      if (type === 'file' && sizeBytes > 0 && isWanted(path))
        files.set(path, { path, sizeBytes, wantedSha256: null, wantedGitSha1: null });
      if (files.size > MOST_FILES || folders.length > MOST_FOLDERS) throw tooLarge(asked);
    }
  }
  const all = [...files.values()];
  if (all.some(({ sizeBytes }) => sizeBytes > MOST_FILE_BYTES)) throw tooLarge(asked);
  return all.sort((a, b) => (a.path < b.path ? -1 : 1));
}

const tooLarge = ({ folder }: DiskAsked): Problem => problem('model_disk_too_large', { folder, most: MOST_FILES });

/** The entries of one folder, page by page; hidden folders are left out, and names that are none. */
async function* entriesOf(disks: Disks, { member, disk, folder, signal }: DiskAsked, below: string) {
  const path = joined(folder, below);
  for (let page = 1; page <= MOST_PAGES; page++) {
    const { entries, total } = await orUnknown(disks.list(member, disk, { path, page, signal }), disk, path);
    for (const { name, ...entry } of entries) {
      const at = below === '' ? name : `${below}/${name}`;
      const isHidden = entry.type === 'folder' && name.startsWith('.');
      if (!isHidden && !name.includes('/') && isModelPath(at)) yield { ...entry, path: at };
    }
    if (entries.length === 0 || page * PAGE >= total) return;
  }
}

async function* bytesOf(
  disks: Disks,
  { member, disk, folder, signal, remember }: DiskAsked,
  file: FileRow,
  from: number,
): AsyncGenerator<Uint8Array> {
  const path = joined(folder, file.path);
  const open = async (at: number) => {
    const found = await orUnknown(disks.read(member, disk, { path, from: at, signal }), disk, path);
    if (found.from !== at || found.size !== file.sizeBytes) {
      found.body.destroy();
      throw changed(file);
    }
    return found;
  };
  const { tag, body } = await open(from);
  if (from === 0) await remember(file, tag);
  else if (tag !== file.sourceTag) {
    body.destroy();
    throw changed(file);
  }
  try {
    yield* body;
  } catch (error) {
    throw signal.aborted ? error : new SourceAway('the connection broke off', { cause: error });
  }
  // At its end, a file has to be the same as at its beginning.
  const last = await open(file.sizeBytes - 1);
  // Its head says all; a tenant's program may send without end.
  last.body.destroy();
  if (last.tag !== tag) throw changed(file);
}

const changed = ({ path }: FileRow): Problem => problem('model_disk_changed', { path });

const joined = (folder: string, below: string): string => `${folder.replace(/\/+$/, '')}/${below}`;

/** The disk, the folder or the file is missing, not the version. */
const orUnknown = <T>(answer: Promise<T>, disk: string, path: string): Promise<T> =>
  answer.catch((error: unknown) => {
    const isMissing = error instanceof Problem && error.problem === 'not_found';
    throw isMissing ? problem('model_disk_unknown', { disk, path }) : error;
  });
