// Secrets that log in to private registries. The gateway makes and deletes them in its own name and reads none: the answers to
// members' writes would show them.
import type { KubeObject } from '@gantry/contract/define-kind.ts';
import { GATEWAY_SECRETS_POLICY, LABEL, REGISTRY_LOGIN_SECRET } from '@gantry/contract/names.ts';
import { ApiError, isAbsent, isConflict, isTaken } from '@gantry/kube/api-error.ts';
import type { KubeClient } from '@gantry/kube/client.ts';
import { coreResource } from '@gantry/kube/resource.ts';

const SECRETS = coreResource('secrets', 'Secret');
/** Docker's own registry has a key with a path, which is what kubelets look for. */
const DOCKER_HUB = 'https://index.docker.io/v1/';
const DOCKER_HOSTS = ['docker.io', 'index.docker.io', 'registry-1.docker.io'];

interface Login {
  /** In lower case. */
  server: string;
  user: string;
  token: string;
}
interface Place {
  namespace: string;
  name: string;
}

type PullSecret = KubeObject & { type: string; data: Record<string, string> };

export class RegistrySecrets {
  readonly #client: Pick<KubeClient, 'create' | 'delete'>;

  constructor(client: Pick<KubeClient, 'create' | 'delete'>) {
    this.#client = client;
  }

  /** Returns its uid; `taken` where there is another of the name, undefined while there is no namespace. */
  async create(place: Place, login: Login): Promise<string | 'taken' | undefined> {
    try {
      const made = await this.#client.create(SECRETS, secretOf(place, login));
      return made.metadata.uid;
    } catch (error) {
      if (isTaken(error)) return 'taken';
      if (isAbsent(error)) return undefined;
      throw error;
    }
  }

  /**
   * One that is gone already is no error, and neither is another of the same name. Without a uid, the name alone says which; a policy
   * keeps members' own Secrets.
   */
  async remove({ namespace, name, uid }: Place & { uid: string | undefined }): Promise<void> {
    try {
      await this.#client.delete(SECRETS, { apiVersion: 'v1', kind: 'Secret', namespace, name, ...(uid && { uid }) });
    } catch (error) {
      if (!isAbsent(error) && !isConflict(error) && (uid || !isMembers(error))) throw error;
    }
  }
}

const isMembers = (error: unknown): boolean =>
  error instanceof ApiError &&
  error.code === 403 &&
  error.message.includes(`'${GATEWAY_SECRETS_POLICY}' with binding '${GATEWAY_SECRETS_POLICY}' denied request`);

function secretOf({ namespace, name }: Place, { server, user, token }: Login): PullSecret {
  const auth = Buffer.from(`${user}:${token}`).toString('base64');
  const key = DOCKER_HOSTS.includes(server) ? DOCKER_HUB : server;
  const config = JSON.stringify({ auths: { [key]: { username: user, password: token, auth } } });
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name, namespace, labels: { [LABEL.managed]: 'true' } },
    type: REGISTRY_LOGIN_SECRET,
    data: { '.dockerconfigjson': Buffer.from(config).toString('base64') },
  };
}
