// What a shell is opened in: an instance, which keeps its sessions; a worker of a job or a replica of a service, which keep none.
import type { Call } from '@gantry/contract/http/call.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';

export interface ShellPlace {
  readonly id: string;
  readonly call: typeof CALLS.openTerminal;
  /** Which of several it is. */
  readonly query: Readonly<Record<string, string>>;
  readonly hasSessions: boolean;
  /** The page that it was opened on. */
  readonly back: string;
}

/** Their tickets are an instance's. */
const opens = (id: string, path: string) =>
  ({ id, method: 'POST', path, answer: 'result' }) satisfies Call as unknown as typeof CALLS.openTerminal;
const OPEN_JOB = opens('openJobTerminal', '/deploy/v1/job/{id}/terminal');
const OPEN_SERVICE = opens('openServiceTerminal', '/deploy/v1/service/{id}/terminal');

/** By the page's path; `asked` are the fields of its address. */
export function placeAt(path: string, id: string, asked: URLSearchParams): ShellPlace {
  const page = encodeURIComponent(id);
  const queryOf = (name: string): Readonly<Record<string, string>> => {
    const value = asked.get(name);
    return value === null ? {} : { [name]: value };
  };
  if (path.startsWith('/deploy/job/'))
    return { id, call: OPEN_JOB, query: queryOf('worker'), hasSessions: false, back: `/deploy/job/${page}` };
  if (path.startsWith('/deploy/service/'))
    return {
      id,
      call: OPEN_SERVICE,
      query: queryOf('pod'),
      hasSessions: false,
      back: `/deploy/service/${page}/replicas`,
    };
  return { id, call: CALLS.openTerminal, query: {}, hasSessions: true, back: `/develop/instance/${page}` };
}
