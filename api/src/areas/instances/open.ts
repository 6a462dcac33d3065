// Puts together what leads into instances and disks: terminals, tenants' web content, files.

import { problem } from '@gantry/contract/http/problem.ts';
import { PLATFORM_NAMESPACE, STAFF_ACCOUNT } from '@gantry/contract/names.ts';
import { LiveSessions } from '../../core/identity/sessions/live-sessions.ts';
import { LoginWatch } from '../../core/identity/sessions/login-watch.ts';
import { STAFF_USER } from '../../core/kinds/staff/staff-writes.ts';
import type { Core } from '../../core/open.ts';
import { findAnywhere } from '../../core/place-elsewhere.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { languageOf } from '../../platform/http/language-of.ts';
import type { Served } from '../../platform/http/serve.ts';
import type { TakesUpgrade } from '../../platform/http/serve-http.ts';
import type { Platform } from '../../platform/open.ts';
import { Access } from '../../platform/relay/access.ts';
import { tenantPlace } from '../../platform/relay/tenant-place.ts';
import { fileRoutes } from './files/file-routes.ts';
import { openDiskFiles } from './files/open.ts';
import { KeptLogs } from './logs/kept-logs.ts';
import { logRoutes, staffLogRoutes } from './logs/log-routes.ts';
import { RunLogs } from './logs/run-logs.ts';
import type { FindObject } from './terminals/place.ts';
import type { TerminalLimits } from './terminals/terminal.ts';
import { TerminalBooks } from './terminals/terminal-books.ts';
import { terminalRoutes } from './terminals/terminal-routes.ts';
import { Terminals } from './terminals/terminals.ts';
import { contentOf } from './web/content-of.ts';
import { notebookToken } from './web/notebook-token.ts';
import { TenantWeb } from './web/tenant-web.ts';

/** What a test sets. */
interface Limits {
  terminalLimits?: TerminalLimits;
  mostTerminals?: number;
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

/** Throws BadConfig. `visited`: somebody does something with what an instance serves. */
export function openInstanceAccess(
  platform: Pick<Platform, 'config' | 'db' | 'clock' | 'log' | 'audit' | 'origins' | 'addressOf'>,
  { cluster, clusterOf }: Pick<Core, 'cluster' | 'clusterOf'>,
  visited?: (namespace: string, instance: string) => void,
  { terminalLimits, mostTerminals }: Limits = {},
): InstanceAccess {
  const { config, db, clock, log, audit, origins, addressOf } = platform;
  const { client, kinds } = cluster;
  const { region, registryUrl, terminalKeep: keepMs } = config;
  const find = findAnywhere(cluster, clusterOf);
  const here = (kind: { kind: string }, namespace: string, name: string) => kinds.findHere(kind, namespace, name);
  const as = (user: string) => client.as(user);
  const access = new Access({ db, clock });
  const live = new LiveSessions({ db, clock });
  const logins = new LoginWatch({ clock, readAccess: (sessions) => live.accessOf(sessions, 'use') });
  const viewers = new LoginWatch({ clock, readAccess: (sessions) => live.accessOf(sessions, 'view') });
  const logs = new RunLogs({ find, kept: new KeptLogs({ client, registryUrl }) });
  const staff = { namespace: PLATFORM_NAMESPACE, name: STAFF_ACCOUNT };
  const staffLogs = new RunLogs({
    find(...of) {
      const found = find(...of);
      return found && { ...found, as: () => found.as(STAFF_USER) };
    },
    kept: new KeptLogs({ client, registryUrl, accountOf: () => staff }),
  });
  const books = new TerminalBooks({ db, clock, log, keepMs, audit });
  const findHere: FindObject = (...of) => {
    const object = here(...of);
    return object && { object, as };
  };
  const terminals = new Terminals({
    access,
    logins,
    books,
    find,
    origins,
    region,
    clock,
    log,
    keepMs,
    ...(terminalLimits && { limits: terminalLimits }),
    ...(mostTerminals !== undefined && { mostPerAccount: mostTerminals }),
  });
  const running = ({ organization }: Caller, name: string) => contentOf(findHere, organization.namespace, name);
  const { tenantDomain: domain, tenantPaths: hasPaths, tenantHost: host, tenantPort: port } = config;
  const place = tenantPlace({ origins, tenants: { domain, hasPaths, host, port } });
  const web =
    place &&
    new TenantWeb({
      ...{ ...place, access, logins, as, running, languageOf, clock },
      addressOf,
      visited,
    });
  const links: Pick<TenantWeb, 'issue'> = web ?? {
    async issue(caller, id) {
      running(caller, id);
      throw problem('tenant_web_off');
    },
  };
  const files = openDiskFiles({ client, find: here, keyed: config.keyed, clock });
  return {
    routes: [
      ...terminalRoutes({
        terminals,
        web: links,
        notebookToken: (caller, id) => notebookToken(findHere, config.keyed, caller, id),
      }),
      ...fileRoutes({ files, logins }),
      ...logRoutes({ logs, logins: viewers }),
      ...staffLogRoutes({ logs: staffLogs, audit }),
    ],
    upgrade: (req, socket, head) =>
      terminals.upgrade(req, socket, head, {
        ip: addressOf(req),
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
