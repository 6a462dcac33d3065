// Secrets with the values of jobs' and services' secret variables. The gateway makes and deletes them in its own name and reads none: the
// answers to members' writes would show them. One never changes: a new value is another Secret.
import { hash, randomBytes } from 'node:crypto';
import type { KubeObject } from '@gantry/contract/define-kind.ts';
import { problem } from '@gantry/contract/http/problem.ts';
import { LABEL, variablesSecret } from '@gantry/contract/names.ts';
import { isAbsent, isTaken } from '@gantry/kube/api-error.ts';
import type { KubeClient } from '@gantry/kube/client.ts';
import { coreResource } from '@gantry/kube/resource.ts';

const SECRETS = coreResource('secrets', 'Secret');
const MOST_KI = 32;

export interface Variable {
  name: string;
  value: string;
}
/** A variable in a spec: where its value lies. */
export interface Reference {
  name: string;
  secret: string;
  key: string;
}

type Values = KubeObject & { type: string; immutable: boolean; data: Record<string, string> };
type Client = Pick<KubeClient, 'create' | 'delete'>;

/** The Secret's name for a new object, whose name is its own. */
export const firstSecret = (kind: string, owner: string): string => variablesSecret(kind, owner, '');
/** The Secret's name for a change. */
export const nextSecret = (kind: string, owner: string): string =>
  variablesSecret(kind, owner, hash('sha256', randomBytes(16), 'hex'));

/** Throws secrets_size. */
export function checkVariables(variables: readonly Variable[]): void {
  const bytes = variables.reduce((sum, { name, value }) => sum + name.length + Buffer.byteLength(value), 0);
  if (bytes > MOST_KI * 1024) throw problem('secrets_size', { most: MOST_KI }, { field: 'secrets' });
}

/** The references of a spec with these variables in that Secret; a variable that was elsewhere is there now. */
export function withVariables(
  references: readonly Reference[] | null | undefined,
  variables: readonly Variable[],
  secret: string,
): Reference[] {
  const names = new Set(variables.map(({ name }) => name));
  return [
    ...(references ?? []).filter(({ name }) => !names.has(name)),
    ...variables.map(({ name }) => ({ name, secret, key: name })),
  ];
}

export class SecretVariables {
  readonly #client: Client;

  constructor(client: Client) {
    this.#client = client;
  }

  /** One of the name that is there already is left as it is: a repetition made it. */
  async create(
    { apiVersion, kind, metadata }: KubeObject,
    name: string,
    variables: readonly Variable[],
  ): Promise<void> {
    const secret: Values = {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: {
        name,
        namespace: metadata.namespace ?? '',
        labels: { [LABEL.managed]: 'true', [LABEL.kind]: kind, [LABEL.name]: metadata.name },
        ownerReferences: [{ apiVersion, kind, name: metadata.name, uid: metadata.uid ?? '' }],
      },
      type: 'Opaque',
      immutable: true,
      data: Object.fromEntries(variables.map((one) => [one.name, Buffer.from(one.value).toString('base64')])),
    };
    try {
      await this.#client.create(SECRETS, secret);
    } catch (error) {
      if (!isTaken(error)) throw error;
    }
  }

  async remove(namespace: string, name: string): Promise<void> {
    try {
      await this.#client.delete(SECRETS, { apiVersion: 'v1', kind: 'Secret', namespace, name });
    } catch (error) {
      if (!isAbsent(error)) throw error;
    }
  }
}
