// What a deployment has collected as a source: its files as they are when the copy begins, each under its id.
import { Problem, problem } from '@gantry/contract/http/problem.ts';
import type { FileRow } from '../../core/files/files.ts';
import { type Source, SourceAway } from '../../core/files/source.ts';
import { StoreAway } from '../../platform/object-store/object-store.ts';
import type { Collected } from '../models/collected/collected.ts';

export const collectedSource = (
  collected: Pick<Collected, 'rows' | 'read'>,
  { signal, ...of }: { organizationId: string; deployment: string; signal: AbortSignal },
): Source => ({
  async plan() {
    const rows = await orGone(collected.rows(of), of.deployment);
    return {
      revision: of.deployment,
      files: rows
        .filter(({ sizeBytes }) => sizeBytes > 0)
        .map(({ id, sizeBytes }) => ({ path: `${id}.jsonl`, sizeBytes, wantedSha256: null, wantedGitSha1: null })),
      ...{ license: null, language: [], tags: [] },
      rows: rows.reduce((all, { records }) => all + records, 0),
    };
  },
  bytes: (file, from) => bytesOf(collected, of, { file, from, signal }),
});

async function* bytesOf(
  collected: Pick<Collected, 'rows' | 'read'>,
  of: { organizationId: string; deployment: string },
  { file: { path }, from, signal }: { file: FileRow; from: number; signal: AbortSignal },
): AsyncGenerator<Uint8Array> {
  const [row] = await orGone(collected.rows({ ...of, file: path.replace(/\.jsonl$/, '') }), path);
  if (!row) throw gone(path);
  try {
    yield* (await collected.read(row, from, signal)) as AsyncIterable<Uint8Array>;
  } catch (error) {
    if (signal.aborted || error instanceof StoreAway) throw error;
    throw new SourceAway('the store broke off', { cause: error });
  }
}

const gone = (what: string): Problem => problem('dataset_source_gone', { what });

/** What is missing is what was collected, not the version. */
const orGone = <T>(answer: Promise<T>, what: string): Promise<T> =>
  answer.catch((error: unknown) => {
    throw error instanceof Problem && error.problem === 'not_found' ? gone(what) : error;
  });
