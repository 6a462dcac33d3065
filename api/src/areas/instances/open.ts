// Puts together what leads into instances and disks: terminals, tenants' web content, files.

import type { IncomingMessage } from 'node:http';
import { canDo, type KubeObject } from '@gantry/contract/define-kind.ts';
import { problem } from '@gantry/contract/http/problem.ts';
import { type GpuInstance, gpuInstance } from '@gantry/contract/kinds/gpu-instance.ts';
import { type Job, job } from '@gantry/contract/kinds/job.ts';
import { notebookTokenText } from '@gantry/contract/kinds/notebook-token.ts';
import { PLATFORM_NAMESPACE, STAFF_ACCOUNT } from '@gantry/contract/names.ts';
import type { KubeClient } from '@gantry/kube/client.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import type { Logger } from 'pino';
import { LiveSessions } from '../../core/identity/sessions/live-sessions.ts';
import { LoginWatch } from '../../core/identity/sessions/login-watch.ts';
import { STAFF_USER } from '../../core/kinds/staff/staff-writes.ts';
import type { Database } from '../../platform/db/open.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { languageOf } from '../../platform/http/language-of.ts';
import type { AuditEntry } from '../../platform/http/run-route.ts';
import type { Served } from '../../platform/http/serve.ts';
import type { TakesUpgrade } from '../../platform/http/serve-http.ts';
import { Access } from '../../platform/relay/access.ts';
import { type TenantPlaceParts, tenantPlace } from '../../platform/relay/tenant-place.ts';
import { fileRoutes } from './files/file-routes.ts';
import { openDiskFiles } from './files/open.ts';
import { KeptLogs } from './logs/kept-logs.ts';
import { logRoutes, staffLogRoutes } from './logs/log-routes.ts';
import { RunLogs } from './logs/run-logs.ts';
import { OpenTerminals, type TerminalEvent } from './terminals/open-terminals.ts';
import { type FindObject, placeOf } from './terminals/place.ts';
import type { TerminalLimits } from './terminals/terminal.ts';
import { terminalRoutes } from './terminals/terminal-routes.ts';
import { podOf, Terminals } from './terminals/terminals.ts';
import { type Content, TenantWeb } from './web/tenant-web.ts';

export interface InstanceAccessParts extends TenantPlaceParts {
  database: Database;
  client: Pick<KubeClient, 'as' | 'createUnder'>;
  /** The address of the registry, with the logs of runs that have ended. */
  registryUrl: string;
  /** Out of our own cluster's cache. Throws placed_elsewhere for one of another. */
  findHere: (kind: { kind: string }, namespace: string, name: string) => KubeObject | undefined;
  /** Out of the cache of whichever cluster has it, with its API server as a user sees it. */
  find: (kind: { kind: string }, namespace: string, name: string) => Found | undefined;
  audit: (entry: AuditEntry) => Promise<void>;
  keyed: (text: string) => string;
  region: string;
  /** The address behind a WebSocket, which no frame sees. */
  addressOf: (req: IncomingMessage) => string;
  clock: Clock;
  log: Logger;
  /** For how long a terminal's session stays while nobody is attached. */
  keepMs: number;
  visited?: ((namespace: string, instance: string) => void) | undefined;
  terminalLimits?: TerminalLimits;
  mostTerminals?: number;
}

interface Found {
  object: KubeObject;
  as: KubeClient['as'];
  /** The name of its data centre, if that is not ours. */
  elsewhere?: string | undefined;
}

export interface InstanceAccess {
  routes: readonly Served[];
  /** A handshake on the API's server; says whether it was for something here. */
  upgrade: TakesUpgrade;
  /** For its own listener, at `tenants.host` and `tenants.port`. */
  web: Pick<TenantWeb, 'answer' | 'upgrade'> | undefined;
  /** For other content on the same domain. */
  visits: { access: Access; logins: LoginWatch };
  start(): void;
  /** Ends everything open; resolves once the audit log knows. */
  stop(): Promise<void>;
}

/** Throws BadConfig. */
export function openInstanceAccess(parts: InstanceAccessParts): InstanceAccess {
  const { database, client, clock, log, region, origins } = parts;
  const as = (user: string) => client.as(user);
  const access = new Access({ db: database, clock });
  const live = new LiveSessions({ db: database, clock });
  const logins = new LoginWatch({ clock, readStanding: (sessions) => live.standings(sessions, 'use') });
  const viewers = new LoginWatch({ clock, readStanding: (sessions) => live.standings(sessions, 'view') });
  const logs = new RunLogs({ find: parts.find, kept: new KeptLogs(parts) });
  const staff = { namespace: PLATFORM_NAMESPACE, name: STAFF_ACCOUNT };
  const staffLogs = new RunLogs({
    find(...of) {
      const found = parts.find(...of);
      return found && { ...found, as: () => found.as(STAFF_USER) };
    },
    kept: new KeptLogs({ ...parts, accountOf: () => staff }),
  });
  const { keepMs } = parts;
  const books = new OpenTerminals({ db: database, clock, log, keepMs, audit: (event) => parts.audit(entryOf(event)) });
  const findHere: FindObject = (...of) => {
    const object = parts.findHere(...of);
    return object && { object, as };
  };
  const findInstance = (namespace: string, id: string) =>
    parts.findHere(gpuInstance, namespace, id) as GpuInstance | undefined;
  const terminals = new Terminals({
    access,
    logins,
    books,
    find: parts.find,
    origins,
    region,
    clock,
    log,
    keepMs,
    ...(parts.terminalLimits && { limits: parts.terminalLimits }),
    ...(parts.mostTerminals !== undefined && { mostPerAccount: parts.mostTerminals }),
  });
  const running = (caller: Caller, id: string) =>
    placeOf(findHere, gpuInstance, caller.organization.namespace, id).object as GpuInstance;
  const findJob = (namespace: string, id: string) => parts.findHere(job, namespace, id) as Job | undefined;
  const contentOf = (caller: Caller, name: string): Content =>
    name.includes('.') ? workerContent(findJob, caller, name) : instanceContent(running(caller, name));
  const place = tenantPlace(parts);
  const web =
    place &&
    new TenantWeb({
      ...{ ...place, access, logins, as, running: contentOf, languageOf, clock },
      addressOf: parts.addressOf,
      visited: parts.visited,
    });
  const links: Pick<TenantWeb, 'issue'> = web ?? {
    async issue(caller, id) {
      contentOf(caller, id);
      throw problem('tenant_web_off');
    },
  };
  const notebookToken = (caller: Caller, id: string): string => {
    const instance = findInstance(caller.organization.namespace, id);
    if (!instance) throw problem('not_found', { what: id });
    const text = notebookTokenText(instance);
    if (text === undefined) throw problem('no_notebook_token');
    return parts.keyed(text);
  };
  const files = openDiskFiles({ ...parts, find: parts.findHere });
  return {
    routes: [
      ...terminalRoutes({ terminals, web: links, notebookToken }),
      ...fileRoutes({ files, logins }),
      ...logRoutes({ logs, logins: viewers }),
      ...staffLogRoutes({ logs: staffLogs, audit: parts.audit }),
    ],
    upgrade: (req, socket, head) =>
      terminals.upgrade(req, socket, head, {
        ip: parts.addressOf(req),
        language: (of) => languageOf(req.headers['accept-language'], of),
      }),
    web,
    visits: { access, logins },
    start: () => books.start(),
    async stop() {
      books.stop();
      await terminals.stop();
      logs.stop();
      staffLogs.stop();
      viewers.stop();
      logins.stop();
      web?.stop();
      files.stop();
    },
  };
}

const instanceContent = (instance: GpuInstance): Content => ({
  uid: instance.metadata.uid ?? '',
  at: podOf(instance),
  ports: (instance.spec.ports ?? []).map(({ port }) => port),
  ...(instance.spec.notebookPort !== undefined && { notebookPort: instance.spec.notebookPort }),
});

/** The content of a worker, named `<job>.<rank>`, while it runs. Throws not_found, container_not_running. */
function workerContent(
  find: (namespace: string, id: string) => Job | undefined,
  { organization: { namespace } }: Caller,
  name: string,
): Content {
  const [id = '', rank] = name.split('.');
  const found = find(namespace, id);
  if (!found) throw problem('not_found', { what: id });
  const worker = found.status?.workers?.find(({ index }) => `${index}` === rank);
  if (!canDo(job, 'login', found) || worker?.phase !== 'running' || worker.pod === undefined) {
    throw problem('container_not_running');
  }
  const ports = (found.spec.ports ?? []).map(({ port }) => port);
  return { uid: found.metadata.uid ?? '', at: { namespace, pod: worker.pod }, ports };
}

const SWITCHING_PROTOCOLS = 101;

const entryOf = ({ action, caller, object, reason, ip, requestId }: TerminalEvent): AuditEntry => ({
  requestId,
  action,
  decision: 'allowed',
  status: SWITCHING_PROTOCOLS,
  caller,
  object,
  reason,
  ip,
  userAgent: undefined,
});
