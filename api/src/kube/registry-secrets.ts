// Secrets that log in to private registries, made and deleted as members: the gateway itself reads none.
import type { KubeObject } from '@gantry/contract/define-kind.ts';
import { isAbsent, isConflict, isTaken } from '@gantry/kube/api-error.ts';
import type { KubeClient } from '@gantry/kube/client.ts';
import { coreResource } from '@gantry/kube/resource.ts';

const SECRETS = coreResource('secrets', 'Secret');
/** Docker's own registry has a key with a path, which is what kubelets look for. */
const DOCKER_HUB = 'https://index.docker.io/v1/';
const DOCKER_HOSTS = ['docker.io', 'index.docker.io', 'registry-1.docker.io'];

interface Login {
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
  readonly #client: Pick<KubeClient, 'as'>;

  constructor(client: Pick<KubeClient, 'as'>) {
    this.#client = client;
  }

  /** Returns its uid; `taken` where there is another of the name, undefined while there is no namespace. */
  async create(user: string, place: Place, login: Login): Promise<string | 'taken' | undefined> {
    try {
      const made = await this.#client.as(user).create(SECRETS, secretOf(place, login));
      return made.metadata.uid;
    } catch (error) {
      if (isTaken(error)) return 'taken';
      if (isAbsent(error)) return undefined;
      throw error;
    }
  }

  /** One that is gone already is no error, and neither is another of the same name. */
  async remove(user: string, { namespace, name, uid }: Place & { uid: string }): Promise<void> {
    try {
      await this.#client.as(user).delete(SECRETS, { apiVersion: 'v1', kind: 'Secret', namespace, name, uid });
    } catch (error) {
      if (!isAbsent(error) && !isConflict(error)) throw error;
    }
  }
}

function secretOf({ namespace, name }: Place, { server, user, token }: Login): PullSecret {
  const auth = Buffer.from(`${user}:${token}`).toString('base64');
  const key = DOCKER_HOSTS.includes(server.toLowerCase()) ? DOCKER_HUB : server;
  const config = JSON.stringify({ auths: { [key]: { username: user, password: token, auth } } });
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name, namespace },
    type: 'kubernetes.io/dockerconfigjson',
    data: { '.dockerconfigjson': Buffer.from(config).toString('base64') },
  };
}
