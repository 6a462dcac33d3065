// The published services as requests find them: by their host, with the replicas, what waits for them, and what is counted.
import { type ContainerService, containerService, wantedReplicas } from '@gantry/contract/kinds/container-service.ts';
import { organizationOf } from '@gantry/contract/names.ts';
import { publishedHost } from '@gantry/contract/published-host.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import type { WatchCache } from '../../platform/kube/watch-cache.ts';
import { Meter } from '../../platform/relay/meter.ts';
import { type Stand, standOf } from '../../platform/relay/stand.ts';
import { Upstream, type WayTo } from '../../platform/relay/upstream.ts';
import { Waiting, WaitingBytes } from '../../platform/relay/waiting.ts';

/** The requests that one organisation has under way in this gateway. */
export interface Load {
  inFlight: number;
}

export interface ActivatedService {
  readonly uid: string;
  readonly name: string;
  readonly namespace: string;
  readonly organization: string;
  readonly host: string;
  readonly meter: Meter;
  readonly upstream: Upstream;
  readonly waiting: Waiting;
  readonly load: Load;
  /** The newest state that the cluster has told. */
  object: ContainerService;
  port: number;
  access: 'Public' | 'Tokens' | 'Members';
  stand: Stand;
  /** Requests and WebSockets under way, those that count as nobody's use among them. */
  underWay: number;
  /** When it was asked for its first replica, in monotonic milliseconds. */
  wokenAt: number;
}

export interface ServicesParts {
  /** Without a domain none is published. */
  domain: string;
  clock: Clock;
  wayTo?: WayTo | undefined;
  isAddress: (ip: string) => boolean;
}

export class ActivatedServices {
  readonly #parts: ServicesParts;
  readonly #byHost = new Map<string, ActivatedService>();
  readonly #byUid = new Map<string, ActivatedService>();
  readonly #loads = new Map<string, Load>();
  readonly #waitingBytes = new WaitingBytes();

  constructor(parts: ServicesParts) {
    this.#parts = parts;
  }

  /** All that are published. */
  get all(): Iterable<ActivatedService> {
    return this.#byUid.values();
  }

  get(uid: string): ActivatedService | undefined {
    return this.#byUid.get(uid);
  }

  /** By a Host header. */
  at(host: string | undefined): ActivatedService | undefined {
    if (host === undefined) return undefined;
    const found = this.#byHost.get(host);
    if (found) return found;
    const end = host.lastIndexOf(':');
    return this.#byHost.get((end < 0 ? host : host.slice(0, end)).toLowerCase());
  }

  /** Takes in a state of one, or its end. Whoever waits goes on, or is told why not. */
  update(namespace: string, name: string, object: ContainerService | undefined): void {
    const { domain } = this.#parts;
    const organization = organizationOf(namespace);
    if (domain === '' || organization === undefined) return;
    // The port of the domain is not the host's.
    const host = publishedHost(name, organization, domain.split(':')[0] ?? '');
    const uid = object?.metadata.uid ?? '';
    let known = this.#byHost.get(host);
    if (known && (!object?.spec.publish || known.uid !== uid)) {
      this.#forget(known);
      known = undefined;
    }
    const publish = object?.spec.publish;
    if (!object || !publish) return;
    const service = known ?? this.#make({ uid, name, namespace, organization, host }, object, publish);
    service.object = object;
    service.port = publish.port;
    service.access = publish.access ?? 'Members';
    service.upstream.update(object.status?.pods ?? [], publish.port);
    service.stand = standOf(object, service.upstream.replicas.length > 0);
    if (service.stand !== 'waits') {
      service.wokenAt = Number.NEGATIVE_INFINITY;
      service.waiting.release(({ go }) => go());
    }
  }

  /** Takes in all that are there, and from now on every change; returns a function that stops it. */
  follow(cache: Pick<WatchCache, 'list' | 'on'>): () => void {
    const unfollow = cache.on(({ kind, namespace = '', name, after }) => {
      if (kind.kind === containerService.kind) this.update(namespace, name, after as ContainerService | undefined);
    });
    for (const object of cache.list<ContainerService>(containerService))
      this.update(object.metadata.namespace ?? '', object.metadata.name, object);
    return unfollow;
  }

  stop(): void {
    for (const service of this.#byUid.values()) service.upstream.close();
  }

  #make(
    names: Pick<ActivatedService, 'uid' | 'name' | 'namespace' | 'organization' | 'host'>,
    object: ContainerService,
    { port, access = 'Members' }: NonNullable<ContainerService['spec']['publish']>,
  ): ActivatedService {
    const { clock, wayTo, isAddress } = this.#parts;
    const { namespace, organization, host, uid } = names;
    const load = this.#loads.get(organization) ?? { inFlight: 0 };
    this.#loads.set(organization, load);
    const service: ActivatedService = {
      ...names,
      object,
      port,
      access,
      stand: 'waits',
      meter: new Meter(),
      upstream: new Upstream({ namespace, wayTo, isAddress, clock }),
      waiting: new Waiting(this.#waitingBytes, (ms, run) => clock.after(ms, run)),
      load,
      underWay: 0,
      wokenAt: Number.NEGATIVE_INFINITY,
    };
    this.#byHost.set(host, service);
    this.#byUid.set(uid, service);
    return service;
  }

  #forget(service: ActivatedService): void {
    this.#byHost.delete(service.host);
    this.#byUid.delete(service.uid);
    service.stand = 'stopped';
    service.upstream.update([], service.port);
    service.waiting.release(({ go }) => go());
  }
}

/** Whether it takes a write to get a first replica. */
export const isAsleep = (object: ContainerService): boolean =>
  object.spec.autoscaling !== undefined && wantedReplicas(object) === 0;

/** Whether requests reach it by us. */
export const isPublished = ({ spec }: Pick<ContainerService, 'spec'>): boolean => spec.publish !== undefined;
