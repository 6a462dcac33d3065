// Tokens of members' ServiceAccounts. Each is bound to its own empty Secret: deleting that revokes the token for good, because
// the API server looks for exactly that Secret, by uid, whenever the token is used.
import type { KubeObject } from '@gantry/contract/define-kind.ts';
import { KUBECONFIG_SECRET, LABEL } from '@gantry/contract/names.ts';
import { isAbsent, isConflict } from '@gantry/kube/api-error.ts';
import type { KubeClient } from '@gantry/kube/client.ts';
import { coreResource } from '@gantry/kube/resource.ts';

const SECRETS = coreResource('secrets', 'Secret');
const ACCOUNTS = coreResource('serviceaccounts', 'ServiceAccount');
/** The API server's least. */
const LEAST_SECONDS = 600;

interface Place {
  namespace: string;
  /** The Secret's. */
  name: string;
}

type TokenRequest = KubeObject & { status: { token: string } };

export class MemberTokens {
  readonly #client: Pick<KubeClient, 'create' | 'createUnder' | 'delete'>;

  constructor(client: Pick<KubeClient, 'create' | 'createUnder' | 'delete'>) {
    this.#client = client;
  }

  /** Creates the Secret and returns its uid; undefined while there is no namespace. */
  async bind({ namespace, name }: Place): Promise<string | undefined> {
    const secret = {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name, namespace, labels: { [LABEL.managed]: 'true' } },
      type: KUBECONFIG_SECRET,
    };
    const made = await orAbsent(this.#client.create(SECRETS, secret));
    return made?.metadata.uid;
  }

  /** Undefined while the member's account or the Secret is not there. The API server may change the time. */
  async issue({
    namespace,
    name,
    uid,
    account,
    seconds,
  }: Place & { uid: string; account: string; seconds: number }): Promise<{ token: string } | undefined> {
    const request = {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenRequest',
      metadata: { name: account, namespace },
      spec: {
        expirationSeconds: Math.max(LEAST_SECONDS, Math.floor(seconds)),
        boundObjectRef: { apiVersion: 'v1', kind: 'Secret', name, uid },
      },
    };
    const made = await orAbsent(this.#client.createUnder(ACCOUNTS, { namespace, name: account }, 'token', request));
    if (!made) return undefined;
    return { token: (made as TokenRequest).status.token };
  }

  /** One that is gone already is no error, and neither is a namespace that is, or another Secret of the same name. */
  async revoke({ namespace, name, uid }: Place & { uid: string }): Promise<void> {
    try {
      await this.#client.delete(SECRETS, { apiVersion: 'v1', kind: 'Secret', namespace, name, uid });
    } catch (error) {
      if (!isAbsent(error) && !isConflict(error)) throw error;
    }
  }
}

async function orAbsent<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw error;
  }
}
