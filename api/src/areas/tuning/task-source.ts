// What a fine-tuning task has made, as the source of a version of a model: files that its Pod still has, or those of a checkpoint.
import { problem } from '@gantry/contract/http/problem.ts';
import type { Source } from '../../core/files/source.ts';
import type { StoredBlobs } from '../../core/files/stored-blobs.ts';
import type { Checkpoints } from '../../core/tasks/checkpoints.ts';
import { type TaskFilesParts, taskFiles } from '../../core/tasks/task-files.ts';
import type { ModelMade } from '../../platform/db/schema/models.ts';
import { isOfModel } from './recipe.ts';

interface SourceParts extends TaskFilesParts {
  checkpoints: Pick<Checkpoints, 'of'>;
  blobs: Pick<StoredBlobs, 'read'>;
}

const SAYS_NOTHING = { license: null, language: [], tags: [] };

/** Throws task_files_gone where its Pod is, or the checkpoint. */
export function madeSource(parts: SourceParts, { taskUid, run, step }: ModelMade, signal: AbortSignal): Source {
  const of = { taskUid, run };
  return step === undefined ? ofPod(parts, of, signal) : ofCheckpoint(parts, { ...of, step }, signal);
}

function ofPod(parts: SourceParts, of: { taskUid: string; run: number }, signal: AbortSignal): Source {
  const { outputs, listed, bytes } = taskFiles(
    parts,
    of,
    {
      pathOf: ({ kind, name }) => (kind === 'output' ? name : undefined),
      gone: () => problem('task_files_gone'),
    },
    signal,
  );
  return {
    plan: async () => ({ ...SAYS_NOTHING, revision: `${of.taskUid} ${of.run}`, files: listed(await outputs()) }),
    bytes,
  };
}

function ofCheckpoint(
  { checkpoints, blobs }: SourceParts,
  of: { taskUid: string; run: number; step: number },
  signal: AbortSignal,
): Source {
  const files = async () => {
    const kept = await checkpoints.of(of);
    if (!kept) throw problem('task_files_gone');
    return kept.files.filter(isOfModel);
  };
  return {
    async plan() {
      const listed = (await files()).map(({ path, sha256, bytes }) => ({
        ...{ path, sizeBytes: bytes, wantedSha256: sha256, wantedGitSha1: null },
      }));
      return { ...SAYS_NOTHING, revision: `${of.taskUid} ${of.run} ${of.step}`, files: listed };
    },
    async *bytes({ path, sizeBytes }, from) {
      const file = (await files()).find((one) => one.path === path);
      if (!file) throw problem('task_files_gone');
      yield* await blobs.read(file.sha256, { from, to: sizeBytes - 1 }, signal);
    },
  };
}
