// The target of a shell: an instance, which keeps its sessions; a worker of a job or a replica of a service, which keep none.
import type { OutputOf } from '@gantry/contract/http/call.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';
import type { Api } from '@gantry/ui/client/api.ts';

export type Ticket = OutputOf<NonNullable<typeof CALLS.openTerminal.facts>>;

/** Further parameters of a ticket for an instance: the session, and that the instance is still where the former shell was. */
export interface Asked {
  readonly session: string;
  readonly former: Readonly<Partial<Pick<Ticket, 'cluster_id' | 'namespace'>>>;
}

export interface ShellPlace {
  readonly id: string;
  readonly hasSessions: boolean;
  /** The page that it was opened on. */
  readonly back: string;
  open(api: Pick<Api, 'call'>, asked: Asked, signal: AbortSignal): Promise<Ticket>;
}

/** By the page's path; `address` are the fields of its address. */
export function placeAt(path: string, id: string, address: URLSearchParams): ShellPlace {
  const page = encodeURIComponent(id);
  const params = { id };
  const without = { id, hasSessions: false };
  if (path.startsWith('/deploy/job/')) {
    const worker = address.get('worker');
    const query = worker === null ? {} : { worker };
    return {
      ...without,
      back: `/deploy/job/${page}`,
      open: (api, _, signal) => api.call(CALLS.openJobTerminal, { params, query }, { signal }),
    };
  }
  if (path.startsWith('/deploy/service/')) {
    const pod = address.get('pod');
    const query = pod === null ? {} : { pod };
    return {
      ...without,
      back: `/deploy/service/${page}/replicas`,
      open: (api, _, signal) => api.call(CALLS.openServiceTerminal, { params, query }, { signal }),
    };
  }
  return {
    id,
    hasSessions: true,
    back: `/develop/instance/${page}`,
    open: (api, { session, former }, signal) =>
      api.call(CALLS.openTerminal, { params, query: former, body: { session } }, { signal }),
  };
}
