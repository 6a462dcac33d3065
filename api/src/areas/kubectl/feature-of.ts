// The feature that a request by kubectl needs open: making instances, and ways into their Pods.
import { posix } from 'node:path';
import { GROUP } from '@gantry/contract/define-kind.ts';
import { gpuInstance } from '@gantry/contract/kinds/gpu-instance.ts';

const INSTANCES = new RegExp(`^/apis/${GROUP}/[^/]+/namespaces/([^/]+)/${gpuInstance.plural}(?:/([^/]+))?$`);

/** Ways into a Pod's processes and ports. */
const INTO_PODS = /^\/api\/[^/]+\/namespaces\/[^/]+\/pods\/[^/]+\/(?:exec|attach|portforward)(?:\/|$)/;

/**
 * Without its query, as the API server reads it: decoded once, with empty and dot segments removed. Undefined for a path that cannot
 * be decoded.
 */
export function decodedPath(path: string): string | undefined {
  try {
    return posix.normalize(decodeURIComponent(path.replace(/[?#].*$/s, ''))).replace(/(?<=.)\/$/, '');
  } catch {
    return undefined;
  }
}

/** The feature that a request needs open; `path` is decoded. */
export function featureOf(
  method: string,
  path: string,
  exists: Parameters<typeof isCreation>[2],
): 'newInstances' | 'terminal' | undefined {
  if (isCreation(method, path, exists)) return 'newInstances';
  return INTO_PODS.test(path) ? 'terminal' : undefined;
}

/** Whether a request makes an instance: a POST, or a patch of one that is not there, as a server-side apply sends it. */
function isCreation(
  method: string,
  path: string,
  exists: (at: { namespace: string; name: string }) => boolean,
): boolean {
  const [isOfInstances, namespace = '', name = ''] = INSTANCES.exec(path) ?? [];
  if (isOfInstances === undefined) return false;
  return method === 'POST' || (method === 'PATCH' && !exists({ namespace, name }));
}
