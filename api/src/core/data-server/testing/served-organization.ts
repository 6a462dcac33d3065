// For tests: an organisation whose data server answers at an address on this machine, and a store in memory.
import { hash } from 'node:crypto';
import { Agent } from 'node:http';
import { Readable } from 'node:stream';
import { API_VERSION } from '@gantry/contract/define-kind.ts';
import type { Organization } from '@gantry/contract/kinds/organization.ts';
import type { ServerCluster } from '../server-place.ts';

export const TOKEN = 'a-token-of-thirty-two-characters';
export const ID = 'acme';

type Condition = NonNullable<NonNullable<Organization['status']>['conditions']>[number];

export class ServedOrganization implements ServerCluster {
  owner: Organization;
  /** Times until which the server was asked for. */
  readonly wishes: string[] = [];
  port: number;
  readonly #agent = new Agent({ keepAlive: true });
  /** What the operator does after a wish. */
  onWish: () => void = () => this.answers();

  constructor(port: number) {
    this.port = port;
    this.owner = {
      apiVersion: API_VERSION,
      kind: 'Organization',
      metadata: { name: ID, uid: 'uid-acme', generation: 1 },
      spec: { quota: {} as Organization['spec']['quota'] },
    };
  }

  answers(): void {
    this.says({ status: 'True', reason: 'DataReady' }, { address: `127.0.0.1:${this.port}` });
  }

  says(condition: Pick<Condition, 'status' | 'reason'> & Partial<Condition>, data?: { address: string }): void {
    const one = { type: 'DataAvailable', message: '', lastTransitionTime: '2026-01-01T00:00:00Z', ...condition };
    const { generation = 0 } = this.owner.metadata;
    this.owner = {
      ...this.owner,
      status: { observedGeneration: generation, conditions: [one], ...(data && { data }) },
    };
  }

  find(id: string): Organization | undefined {
    return id === ID ? this.owner : undefined;
  }

  async wish(owner: Organization, until: string): Promise<Organization> {
    this.wishes.push(until);
    const { metadata, spec } = owner;
    const generation = (metadata.generation ?? 0) + 1;
    this.owner = { ...owner, metadata: { ...metadata, generation }, spec: { ...spec, data: { until } } };
    this.onWish();
    return this.owner;
  }

  reach() {
    return { host: '127.0.0.1', port: this.port, agent: this.#agent };
  }

  keyed(text: string): string {
    return text === 'data/uid-acme' ? TOKEN : 'another';
  }

  stop(): void {
    this.#agent.destroy();
  }
}

/** Blobs by their digest. */
export class MemoryStore {
  readonly #blobs = new Map<string, Buffer>();

  add(bytes: Buffer): { digest: string; sha256: string; sizeBytes: number; bytes: number } {
    const digest = hash('sha256', bytes, 'hex');
    this.#blobs.set(digest, bytes);
    return { digest, sha256: digest, sizeBytes: bytes.length, bytes: bytes.length };
  }

  async size(digest: string): Promise<number | undefined> {
    return this.#blobs.get(digest)?.length;
  }

  async read(digest: string, { from, to }: { from: number; to: number }): Promise<Readable> {
    const bytes = this.#blobs.get(digest);
    if (!bytes) throw new Error(`${digest} is not there`);
    return Readable.from([bytes.subarray(from, to + 1)]);
  }
}
