// Whether the registry still has what objects name by digest: asked at the end of a restore.
import { PLATFORM_NAMESPACE, STAFF_ACCOUNT } from '@gantry/contract/names.ts';
import type { KubeClient } from '@gantry/kube/client.ts';
import { registryToken } from './kept-logs.ts';

const IMAGE = /^[^/]+\/([a-z0-9._/-]+)(?::[A-Za-z0-9._-]+)?@(sha256:[a-f0-9]{64})$/;
const ACCEPT =
  'application/vnd.oci.image.manifest.v1+json, application/vnd.oci.image.index.v1+json, application/vnd.docker.distribution.manifest.v2+json, application/vnd.docker.distribution.manifest.list.v2+json';
const ANSWER_MS = 20_000;

/** Undefined where the registry does not say, or none is configured. */
export const registryImages =
  (registryUrl: string, client: () => Pick<KubeClient, 'createUnder'>) =>
  async (image: string): Promise<boolean | undefined> => {
    const [, repository, digest] = IMAGE.exec(image) ?? [];
    if (registryUrl === '' || repository === undefined) return undefined;
    const signal = AbortSignal.timeout(ANSWER_MS);
    const ask = (token?: string) =>
      fetch(new URL(`/v2/${repository}/manifests/${digest}`, registryUrl), {
        method: 'HEAD',
        headers: { accept: ACCEPT, ...(token && { authorization: `Bearer ${token}` }) },
        signal,
        redirect: 'error',
      });
    try {
      const account = { namespace: PLATFORM_NAMESPACE, name: STAFF_ACCOUNT };
      const challenge = await ask();
      const answer =
        challenge.status === 401
          ? await ask(await registryToken(client(), account, challenge, repository, signal))
          : challenge;
      return answer.ok ? true : answer.status === 404 ? false : undefined;
    } catch {
      return undefined;
    }
  };
