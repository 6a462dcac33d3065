// The token that an instance's notebook asks for. Operator and gateway derive it from the platform's key: it is stored in a Secret
// that nobody reads, and in no status.
import { identityOf } from '../identity.ts';
import type { GpuInstance } from './gpu-instance-schema.ts';

/** The variable from which Jupyter takes it. */
export const NOTEBOOK_VARIABLE = 'JUPYTER_TOKEN';

/**
 * The text whose keyed hash is the token. Another one after each rotation, and after each start that follows a shutdown or a
 * hibernation. Undefined: there is none, because nothing has started yet, or the instance has no notebook or brings its own token.
 */
export function notebookTokenText(instance: GpuInstance): string | undefined {
  const { spec, status } = instance;
  const began = status?.notebookRun;
  // The gateway also reads what an older schema let in.
  const bringsOwn = Array.isArray(spec.env) && spec.env.some((one) => one?.name === NOTEBOOK_VARIABLE);
  if (spec.notebookPort === undefined || began === undefined || bringsOwn) return undefined;
  return `notebook/${identityOf(instance)}/${began}.${spec.notebookTokenCount ?? 0}`;
}
