// The runs of objects of any kind that runs programs, and their logs: streamed, never buffered whole.
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  ADMIN_KIND_NAMES,
  ADMIN_KINDS,
  COMPUTING_COMMANDS,
  logId,
  replicaLogId,
} from '@gantry/contract/areas/kinds/admin-computing.ts';
import { MODEL_ROUTES } from '@gantry/contract/areas/models/models.ts';
import type { KindFacts } from '@gantry/contract/define-kind.ts';
import type { Language } from '@gantry/contract/fields/language.ts';
import type { RouteFacts } from '@gantry/contract/http/define-route.ts';
import { KIND_ROUTES } from '@gantry/contract/http/kind-routes.ts';
import { problem } from '@gantry/contract/http/problem.ts';
import type { KnownRun, RunView } from '@gantry/contract/kind-api.ts';
import { lastExitInWords } from '@gantry/contract/kinds/exits.ts';
import { modelDeployment } from '@gantry/contract/kinds/model-deployment.ts';
import { KINDS } from '@gantry/contract/kinds.ts';
import { organizationOf } from '@gantry/contract/names.ts';
import type { LoginWatch } from '../../../core/identity/sessions/login-watch.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import { reasonIn } from '../../../platform/http/reason-header.ts';
import { auditedId } from '../../../platform/http/request-id.ts';
import type { AuditEntry } from '../../../platform/http/run-route.ts';
import type { Call, Served } from '../../../platform/http/serve.ts';
import type { LogWanted, ReplicatedKind, RunLogs, RunningKind } from './run-logs.ts';

export interface LogParts {
  logs: Pick<RunLogs, 'runs' | 'read' | 'readReplica'>;
  logins: Pick<LoginWatch, 'follow'>;
}

type Routes = Readonly<Record<string, RouteFacts>>;

interface StaffLogParts {
  logs: Pick<RunLogs, 'read' | 'readReplica'>;
  audit(entry: AuditEntry): Promise<void>;
}

/** For staff: of any organisation. The audit log has who reads one before they see a line of it. */
export const staffLogRoutes = (parts: StaffLogParts): Served[] =>
  ADMIN_KIND_NAMES.flatMap((name) => {
    const facts = ADMIN_KINDS[name] as KindFacts as RunningKind & ReplicatedKind;
    const ofRuns = COMPUTING_COMMANDS[logId(name)];
    const ofReplicas = COMPUTING_COMMANDS[replicaLogId(name)];
    return [
      ...(ofRuns ? [{ route: ofRuns, handler: (call: Call) => sendRunToStaff(parts, facts, ofRuns, call) }] : []),
      ...(ofReplicas
        ? [{ route: ofReplicas, handler: (call: Call) => sendReplicaToStaff(parts, facts, ofReplicas, call) }]
        : []),
    ];
  });

function sendRunToStaff(parts: StaffLogParts, facts: RunningKind, route: RouteFacts, call: Call): Promise<void> {
  const { number } = call.params as { number: number };
  const { worker, ...wanted } = call.query as RunLogWanted;
  const program = worker === undefined ? '' : `, worker ${worker}`;
  return toStaff(parts, { facts, route, read: `run ${number}${program}` }, call, (reader, id, audited) =>
    parts.logs.read(
      reader,
      facts,
      { id, number, part: worker },
      { ...wanted, follow: false },
      call.signal,
      audited(nameOf(id, number, worker)),
    ),
  );
}

function sendReplicaToStaff(parts: StaffLogParts, facts: ReplicatedKind, route: RouteFacts, call: Call): Promise<void> {
  const { pod } = call.params as { pod: string };
  const wanted = { ...(call.query as LogWanted), follow: false };
  return toStaff(parts, { facts, route, read: `replica ${pod}` }, call, (reader, id, audited) =>
    parts.logs.readReplica(reader, facts, { id, pod }, wanted, call.signal, audited(pod)),
  );
}

type Write = Parameters<RunLogs['read']>[5];

/** `send` gets a reader in the object's organisation, the object's own name, and what writes a file once its reading is on record. */
async function toStaff(
  { audit }: StaffLogParts,
  { facts, route, read }: { facts: KindFacts; route: RouteFacts; read: string },
  call: Call,
  send: (reader: Caller, id: string, audited: (file: string) => Write) => Promise<void>,
): Promise<void> {
  const { id } = call.params as { id: string };
  const reason = reasonIn(call.req.headers['x-reason']);
  const dot = id.indexOf('.');
  const [namespace, object] = [id.slice(0, Math.max(0, dot)), id.slice(dot + 1)];
  if (organizationOf(namespace) === undefined) throw problem('not_found', { what: id });
  const caller = call.caller as Caller;
  const reader = { ...caller, organization: { ...caller.organization, namespace } };
  await send(reader, object, (file) => async (lines, limited) => {
    await audit({
      requestId: auditedId(call.req, call.requestId),
      action: route.id,
      decision: 'allowed',
      status: 200,
      caller,
      object: `${facts.kind}/${id}`,
      reason: `${read}: ${reason}`,
      ip: call.ip,
      userAgent: call.req.headers['user-agent']?.slice(0, 256),
    });
    await writer(call, file)(lines, limited);
  });
}

export const logRoutes = (parts: LogParts): Served[] => [
  { route: MODEL_ROUTES.readDeploymentLog, handler: (call: Call) => sendOfDeployment(parts, call) },
  ...Object.entries<Routes>(KIND_ROUTES).flatMap(([key, { runs, log, replicaLog }]) => {
    const facts = (KINDS as Readonly<Record<string, KindFacts>>)[key] as RunningKind & ReplicatedKind;
    const ofReplicas = replicaLog
      ? [{ route: replicaLog, handler: (call: Call) => sendOfReplica(parts, facts, call) }]
      : [];
    if (!runs || !log) return ofReplicas;
    return [
      ...ofReplicas,
      {
        route: runs,
        handler: async ({ caller, params, language }: Call) =>
          parts.logs
            .runs(caller as Caller, facts, (params as { id: string }).id)
            .map((run) => runInWords(run, language)),
      },
      { route: log, handler: (call: Call) => send(parts, facts, call) },
    ];
  }),
];

type RunLogWanted = LogWanted & { worker?: number };
/** The name of the file that the log is downloaded as. */
const nameOf = (...parts: readonly (string | number | undefined)[]): string =>
  parts.filter((part) => part !== undefined).join('-');

function send(parts: LogParts, facts: RunningKind, call: Call): Promise<void> {
  const { id, number } = call.params as { id: string; number: number };
  const { worker, ...wanted } = call.query as RunLogWanted;
  return whileSignedIn(parts, call, (caller, signal) =>
    parts.logs.read(
      caller,
      facts,
      { id, number, part: worker },
      wanted,
      signal,
      writer(call, nameOf(id, number, worker)),
    ),
  );
}

function sendOfReplica(parts: LogParts, facts: ReplicatedKind, call: Call): Promise<void> {
  const place = call.params as { id: string; pod: string };
  return whileSignedIn(parts, call, (caller, signal) =>
    parts.logs.readReplica(caller, facts, place, call.query as LogWanted, signal, writer(call, place.pod)),
  );
}

function sendOfDeployment(parts: LogParts, call: Call): Promise<void> {
  const { id } = call.params as { id: string };
  const { pod, ...wanted } = call.query as LogWanted & { pod?: string };
  return whileSignedIn(parts, call, (caller, signal) =>
    parts.logs.readReplica(caller, modelDeployment, { id, pod }, wanted, signal, writer(call, pod ?? id)),
  );
}

/** Ends with the session behind it, however long the run goes on. */
async function whileSignedIn(
  { logins }: LogParts,
  call: Call,
  read: (caller: Caller, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const caller = call.caller as Caller;
  const over = new AbortController();
  const unfollow = logins.follow(caller.session, () => over.abort());
  const signal = AbortSignal.any([call.signal, over.signal]);
  try {
    await read(caller, signal);
  } catch (error) {
    throw over.signal.aborted ? problem('unauthenticated') : error;
  } finally {
    unfollow();
  }
}

const writer =
  ({ res }: Call, name: string) =>
  async (lines: AsyncIterable<Buffer>, limited: AbortSignal): Promise<void> => {
    // A tenant's bytes in the console's origin: a browser never renders them as a page.
    res.setHeader('content-type', 'text/plain; charset=utf-8');
    res.setHeader('content-disposition', `attachment; filename="${name}.log"`);
    res.setHeader('x-content-type-options', 'nosniff');
    res.setHeader('cache-control', 'private, no-store');
    // Proxies would hold back the lines of a slow program.
    res.setHeader('x-accel-buffering', 'no');
    res.flushHeaders();
    await pipeline(Readable.from(lines, { objectMode: false }), res, { signal: limited });
  };

export const runInWords = (
  { seq, part, cause, startedAt, endedAt, exit, exitCode, log }: KnownRun,
  language: Language,
): RunView => ({
  number: seq,
  ...(part !== undefined && { worker: part }),
  cause,
  start_time: startedAt ?? null,
  end_time: endedAt ?? null,
  exit: exit ?? null,
  exit_label: exit === undefined ? null : lastExitInWords(exit, language),
  exit_code: exitCode ?? null,
  log: log ? { bytes: log.bytes, is_cut: log.isCut } : null,
});
