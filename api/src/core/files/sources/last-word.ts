// The last message of a version whose source was away too often.
import { Problem, problem } from '@gantry/contract/http/problem.ts';
import { SourceAway } from '../source.ts';
import type { SourceKind } from './taken.ts';

const AWAY: Readonly<Record<SourceKind, (what: string, detail: string) => Problem>> = {
  hub: (path, detail) => problem('model_hub_answer', { path, detail }),
  disk: (_, detail) => problem('files_unavailable', { detail }),
  s3: (what, detail) => problem('dataset_s3_answer', { what, detail }),
};

/** `what` is the repository, disk or address. */
export function lastWordOf({ source, what }: { source: SourceKind; what: string }, error: unknown): Problem {
  // It would say to try again in some seconds.
  if (source === 'disk' && error instanceof Problem && error.problem === 'unavailable')
    return AWAY.disk(what, 'its server did not answer');
  if (error instanceof Problem) return error;
  return error instanceof SourceAway ? AWAY[source](what, error.message) : problem('internal');
}
