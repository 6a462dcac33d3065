// A folder of an organisation's disk as a source: read as the member who asked for it. Its server may be a tenant's own program, so
// its answers are data like any other; a file that changes while it is copied is refused.

import { Problem, problem } from '@gantry/contract/http/problem.ts';
import { organizationNamespace } from '@gantry/contract/names.ts';
import { eq } from 'drizzle-orm';
import type { Database } from '../../../platform/db/open.ts';
import { files } from '../../../platform/db/schema/files.ts';
import type { FileRow } from '../files.ts';
import { type Source, SourceAway, type SourceFile } from '../source.ts';
import type { DiskMember, Disks } from './disks.ts';
import { Taken, type Taking } from './taken.ts';

export interface DiskAsked {
  creatorId: string;
  organizationId: string;
  disk: string;
  folder: string;
  include: readonly string[];
  taking: Taking;
  signal: AbortSignal;
}

interface DiskParts {
  db: Database;
  disks: Disks;
}

/** Below the one that was asked for. */
const MOST_FOLDERS = 1000;
const PAGE = 1000;
/** As deep as a listing reaches. */
const MOST_PAGES = 200;

export const diskSource = (parts: DiskParts, asked: DiskAsked): Source => ({
  async plan() {
    const files = await filesIn(parts.disks, asked);
    return { revision: asked.folder, files, license: null, language: [], tags: [] };
  },
  bytes: (file, from) => bytesOf(parts, asked, file, from),
});

const memberOf = ({ creatorId, organizationId }: DiskAsked): DiskMember => ({
  account: { id: creatorId },
  organization: { id: organizationId, namespace: organizationNamespace(organizationId) },
});

async function filesIn(disks: Disks, asked: DiskAsked): Promise<SourceFile[]> {
  const taken = new Taken({ ...asked, source: 'disk', what: asked.folder });
  const folders = [''];
  // Grows while it is gone through.
  for (const below of folders) {
    for await (const { path, type, sizeBytes } of entriesOf(disks, asked, below)) {
      if (type === 'folder' && taken.mayEnter(path)) folders.push(path);
      if (type === 'file') taken.add({ path, sizeBytes, wantedSha256: null, wantedGitSha1: null });
      if (folders.length > MOST_FOLDERS) throw taken.tooLarge();
    }
  }
  return taken.all();
}

/** The entries of one folder, page by page; hidden folders are left out. */
async function* entriesOf(disks: Disks, asked: DiskAsked, below: string) {
  const { disk, folder, signal } = asked;
  const path = joined(folder, below);
  for (let page = 1; page <= MOST_PAGES; page++) {
    const { entries, total } = await orUnknown(disks.list(memberOf(asked), disk, { path, page, signal }), disk, path);
    for (const { name, ...entry } of entries) {
      const at = below === '' ? name : `${below}/${name}`;
      const isHidden = entry.type === 'folder' && name.startsWith('.');
      if (!isHidden && !name.includes('/')) yield { ...entry, path: at };
    }
    if (entries.length === 0 || page * PAGE >= total) return;
  }
}

async function* bytesOf(
  { db, disks }: DiskParts,
  asked: DiskAsked,
  file: FileRow,
  from: number,
): AsyncGenerator<Uint8Array> {
  const { disk, folder, signal } = asked;
  const path = joined(folder, file.sourcePath ?? file.path);
  const open = async (at: number) => {
    const found = await orUnknown(disks.read(memberOf(asked), disk, { path, from: at, signal }), disk, path);
    if (found.from !== at || found.size !== file.sizeBytes) {
      found.body.destroy();
      throw changed(file);
    }
    return found;
  };
  const { tag, body } = await open(from);
  // Which content its first byte was of.
  if (from === 0) await db.sql.update(files).set({ sourceTag: tag }).where(eq(files.id, file.id));
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
