// Puts together what leads into instances and disks: terminals, tenants' web content, files.

import type { IncomingMessage } from 'node:http';
import type { KubeObject } from '@gantry/contract/define-kind.ts';
import { problem } from '@gantry/contract/http/problem.ts';
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
import { OpenTerminals } from './terminals/open-terminals.ts';
import type { FindObject } from './terminals/place.ts';
import type { TerminalLimits } from './terminals/terminal.ts';
import { terminalRoutes } from './terminals/terminal-routes.ts';
import { Terminals } from './terminals/terminals.ts';
import { contentOf } from './web/content-of.ts';
import { notebookToken } from './web/notebook-token.ts';
import { TenantWeb } from './web/tenant-web.ts';

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
  const books = new OpenTerminals({ db: database, clock, log, keepMs, audit: parts.audit });
  const findHere: FindObject = (...of) => {
    const object = parts.findHere(...of);
    return object && { object, as };
  };
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
  const running = ({ organization }: Caller, name: string) => contentOf(findHere, organization.namespace, name);
  const place = tenantPlace(parts);
  const web =
    place &&
    new TenantWeb({
      ...{ ...place, access, logins, as, running, languageOf, clock },
      addressOf: parts.addressOf,
      visited: parts.visited,
    });
  const links: Pick<TenantWeb, 'issue'> = web ?? {
    async issue(caller, id) {
      running(caller, id);
      throw problem('tenant_web_off');
    },
  };
  const files = openDiskFiles({ ...parts, find: parts.findHere });
  return {
    routes: [
      ...terminalRoutes({
        terminals,
        web: links,
        notebookToken: (caller, id) => notebookToken(findHere, parts.keyed, caller, id),
      }),
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
