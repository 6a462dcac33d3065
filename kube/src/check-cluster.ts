// Can this cluster carry Gantry? Asked once, before anything is followed.
import { API_VERSION, type KindFacts } from '@gantry/contract/define-kind.ts';
import { ApiError, isAbsent, NoAnswer } from './api-error.ts';
import type { KubeClient } from './client.ts';

/** The minor version of Kubernetes 1. */
export const LEAST_MINOR = 33;

/** The API server may be up in a moment: a process that starts beside it waits. Anything else needs a person. */
export function isUnreachable(error: unknown): boolean {
  if (error instanceof ApiError) return error.code === 429 || error.code >= 500;
  return error instanceof NoAnswer;
}

/** The cluster lacks our kinds, or does not serve them yet. */
export class KindsMissing extends Error {
  override readonly name = 'KindsMissing';
}

/** Rejects with a sentence that says what is missing and what to do. */
export async function checkCluster(
  client: Pick<KubeClient, 'raw'>,
  kinds: readonly Pick<KindFacts, 'kind' | 'plural'>[],
): Promise<void> {
  const { major, minor, gitVersion } = await client.raw<{ major: string; minor: string; gitVersion: string }>(
    '/version',
  );
  if (Number(major) === 1 && Number.parseInt(minor, 10) < LEAST_MINOR) {
    throw new Error(`the API server is ${gitVersion}; Gantry needs Kubernetes 1.${LEAST_MINOR} or newer`);
  }
  const served = await client
    .raw<{ resources: { name: string }[] }>(`/apis/${API_VERSION}`)
    .then(({ resources }) => new Set(resources.map(({ name }) => name)))
    .catch((error: unknown) => {
      if (isAbsent(error)) return new Set<string>();
      throw error;
    });
  const missing = kinds.filter(({ plural }) => !served.has(plural)).map(({ kind }) => kind);
  if (missing.length > 0) {
    throw new KindsMissing(
      `the cluster does not know ${missing.join(', ')}: apply the CRDs first (kubectl apply -f crds/)`,
    );
  }
}
