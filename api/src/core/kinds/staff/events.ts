// Kubernetes' events of objects, read when somebody looks: nobody follows them.

import type { KindAbout } from '@gantry/contract/areas/kinds/admin-computing.ts';
import type { KubeObject } from '@gantry/contract/define-kind.ts';
import type { KubeClient } from '@gantry/kube/client.ts';
import { coreResource } from '@gantry/kube/resource.ts';

type ShownEvent = NonNullable<KindAbout['events']>[number];
interface KubeEvent extends KubeObject {
  involvedObject?: { kind?: string; name?: string };
  type?: string;
  reason?: string;
  message?: string;
  count?: number;
  series?: { count?: number; lastObservedTime?: string };
  eventTime?: string | null;
  lastTimestamp?: string | null;
  firstTimestamp?: string | null;
}

const MOST_EVENTS = 100;

export class EventReader {
  readonly #client: Pick<KubeClient, 'list'>;

  constructor(client: Pick<KubeClient, 'list'>) {
    this.#client = client;
  }

  /** Newest first; null if the API server does not say. A node's are in the namespace `default`. */
  async of(namespace: string, objects: readonly { kind: string; name: string }[]): Promise<ShownEvent[] | null> {
    const resource = { ...coreResource('events', 'Event'), namespace };
    try {
      const pages = await Promise.all(
        objects.map(({ kind, name }) =>
          this.#client.list(resource, {
            fieldSelector: `involvedObject.kind=${kind},involvedObject.name=${name}`,
            limit: MOST_EVENTS,
          }),
        ),
      );
      return pages
        .flatMap(({ items }) => (items as KubeEvent[]).map(shown))
        .sort((a, b) => ((a.at ?? '') < (b.at ?? '') ? 1 : -1))
        .slice(0, MOST_EVENTS);
    } catch {
      return null;
    }
  }
}

function shown({ involvedObject = {}, type = '', reason = '', message = '', series, ...event }: KubeEvent): ShownEvent {
  const time =
    series?.lastObservedTime ?? event.lastTimestamp ?? event.eventTime ?? event.metadata.creationTimestamp ?? '';
  const at = Date.parse(time);
  return {
    at: Number.isNaN(at) ? null : new Date(at).toISOString(),
    type,
    reason,
    message,
    count: series?.count ?? event.count ?? 1,
    object: `${involvedObject.kind ?? ''}/${involvedObject.name ?? ''}`,
  };
}
