// Commands of staff on what tenants have and on nodes, and what their pages show besides a row. Each command lands in the platform's
// audit log with its object and reason, and the organisation's members are told.

import {
  ADMIN_KIND_NAMES,
  ADMIN_KINDS,
  type AdminKindName,
  aboutId,
  actId,
  batchId,
  COMPUTING_COMMANDS,
  type KindAbout,
  NODE_ROUTES,
  type StaffBatchAnswer,
} from '@gantry/contract/areas/kinds/admin-computing.ts';
import type { KindFacts, KubeObject, Words } from '@gantry/contract/define-kind.ts';
import type { Language } from '@gantry/contract/fields/language.ts';
import type { RouteFacts } from '@gantry/contract/http/define-route.ts';
import { Problem, statusOf } from '@gantry/contract/http/problem.ts';
import { problemIn } from '@gantry/contract/http/problem-in.ts';
import { containerService } from '@gantry/contract/kinds/container-service.ts';
import { dataProcess } from '@gantry/contract/kinds/data-process.ts';
import { evaluation } from '@gantry/contract/kinds/evaluation.ts';
import { fineTune } from '@gantry/contract/kinds/fine-tune.ts';
import { job } from '@gantry/contract/kinds/job.ts';
import { modelDeployment } from '@gantry/contract/kinds/model-deployment.ts';
import { organizationOf } from '@gantry/contract/names.ts';
import { PLATFORM_ROLES } from '@gantry/contract/roles.ts';
import { STAFF_ROLE_WORDS, STAFF_WORDS, staffWords } from '@gantry/contract/staff-commands.ts';
import { giverOf, noteAsked } from '../../core/billing/giver-of.ts';
import type { Approvals } from '../../core/billing/giving/approvals.ts';
import type { KindAbouts } from '../../core/kinds/staff/kind-about.ts';
import type { StaffNodes } from '../../core/kinds/staff/staff-nodes.ts';
import type { StaffWrites } from '../../core/kinds/staff/staff-writes.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { auditedId } from '../../platform/http/request-id.ts';
import type { AuditEntry } from '../../platform/http/run-route.ts';
import { type Call, type Served, serve } from '../../platform/http/serve.ts';
import { newId } from '../../platform/ids.ts';
import type { StaffNotice } from '../../platform/messages/tell-members.ts';
import { runInWords } from '../instances/logs/log-routes.ts';
import type { KindRows } from './kind-rows.ts';

export interface ComputingParts {
  kinds: Pick<KindRows, 'find' | 'row'>;
  staff: Pick<StaffWrites, 'act'>;
  nodes: Pick<StaffNodes, 'row' | 'about' | 'act'>;
  abouts: Pick<KindAbouts, 'of'>;
  approvals: Pick<Approvals, 'give'>;
  costOf(uid: string): Promise<Pick<KindAbout, 'intervals' | 'cost'>>;
  entriesAbout(
    places: readonly { organizationId: string; object: string }[],
    language: Language,
  ): Promise<KindAbout['audit']>;
  tell(notice: StaffNotice): Promise<void>;
  audit(entry: AuditEntry): Promise<void>;
}

interface Command {
  action: string;
  confirm?: string;
  reason: string;
}
interface BatchCommand {
  action: string;
  ids: string[];
  confirm?: string[];
  reason: string;
}
type StaffCall = Call & { caller: Caller };

export function adminComputingRoutes(parts: ComputingParts): Served[] {
  return [...ADMIN_KIND_NAMES.flatMap((name) => kindRoutes(parts, name)), ...nodeRoutes(parts)];
}

function kindRoutes(parts: ComputingParts, name: AdminKindName): Served[] {
  const { kinds, staff, abouts, costOf, entriesAbout, audit } = parts;
  const facts: KindFacts = ADMIN_KINDS[name];
  const named = (id: string) => `${facts.kind}/${id}`;
  const carryOut = async (call: StaffCall, id: string, { action, confirm, reason }: Command, part = '') => {
    const { language, idempotencyKey } = call;
    const key = idempotencyKey === undefined ? undefined : `${idempotencyKey}${part}`;
    const route = actId(name);
    const object = await staff.act(facts, id, { action, confirm }, { language, request: { route, key } });
    await parts.tell({
      key: `staff/${key ?? newId('act')}/${object.metadata.uid}`,
      facts,
      object,
      title: STAFF_WORDS.commandTitle,
      content: STAFF_WORDS.command,
      args: { ...saidOf(call.caller, reason), ...nameOf(facts, object), command: staffWords(facts, action) },
    });
    return object;
  };
  const routes: [RouteFacts | undefined, (call: StaffCall) => Promise<unknown>][] = [
    [
      COMPUTING_COMMANDS[actId(name)],
      async (call) => {
        const { id } = call.params as { id: string };
        const body = call.body as unknown as Command;
        Object.assign(call.audit, { object: named(id), reason: `${body.action}: ${body.reason}` });
        return kinds.row(facts, await carryOut(call, id, body), call.language);
      },
    ],
    [
      COMPUTING_COMMANDS[batchId(name)],
      async (call) => {
        const { ids, confirm = [], action, reason } = call.body as unknown as BatchCommand;
        const answers: StaffBatchAnswer[] = [];
        for (const id of new Set(ids)) {
          const own = id.slice(id.indexOf('.') + 1);
          const item = { action, reason, ...(confirm.includes(own) && { confirm: own }) };
          const answer = await answerOf(call, id, async () => {
            const object = await carryOut(call, id, item, `/${id}`);
            return kinds.row(facts, object, call.language).display_name;
          });
          answers.push(answer);
          // Each has an entry of its own: one line could not name them all.
          await audit(entryOf(call, batchId(name), named(id), `${action}: ${reason}`, answer));
        }
        const done = answers.filter(({ code }) => code === 0).length;
        Object.assign(call.audit, { object: name, reason: `${action} (${done}/${answers.length}): ${reason}` });
        return answers;
      },
    ],
    [
      COMPUTING_COMMANDS[aboutId(name)],
      async (call) => {
        const { id } = call.params as { id: string };
        const object = kinds.find(facts, id);
        const { namespace = '', name: own, uid = '' } = object.metadata;
        const runs = facts.api?.runs?.of(object) ?? [];
        const [seen, cost, entries] = await Promise.all([
          abouts.of(facts, object, call.language),
          costOf(uid),
          entriesAbout(
            [
              { organizationId: '', object: named(id) },
              { organizationId: organizationOf(namespace) ?? '', object: `${facts.kind}/${own}` },
            ],
            call.language,
          ),
        ]);
        return { ...seen, ...cost, runs: runs.map((run) => runInWords(run, call.language)), audit: entries };
      },
    ],
  ];
  return routes.flatMap(([route, handler]) =>
    route ? [{ route, handler: (call: Call) => handler(call as StaffCall) }] : [],
  );
}

/** The answer for one of several; a refusal does not hold up the others. */
async function answerOf(call: Call, id: string, work: () => Promise<string>): Promise<StaffBatchAnswer> {
  try {
    return { id, name: await work(), code: 0, error: null, message: 'ok' };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const message = problemIn(call.language, error.problem, error.args);
    return { id, name: id.slice(id.indexOf('.') + 1), code: error.code, error: error.problem, message };
  }
}

function entryOf(
  call: StaffCall,
  action: string,
  object: string,
  reason: string,
  answer: StaffBatchAnswer,
): AuditEntry {
  const { caller, ip, req, requestId } = call;
  const isDenied = answer.error === 'not_found';
  return {
    requestId: auditedId(req, requestId),
    action,
    decision: answer.code === 0 ? 'allowed' : isDenied ? 'denied' : 'failed',
    status: answer.error === null ? ACCEPTED : statusOf(answer.error as Problem['problem']),
    caller,
    object,
    reason: answer.error === null ? reason : `${answer.error}; ${reason}`,
    ip,
    userAgent: req.headers['user-agent']?.slice(0, 256),
  };
}

const ACCEPTED = 202;

function nodeRoutes({ nodes, approvals, entriesAbout, tell }: ComputingParts): Served[] {
  return [
    serve(NODE_ROUTES.adminActNodes, async (call) => {
      const { id } = call.params;
      const { action, reason } = call.body;
      Object.assign(call.audit, { object: `Node/${id}`, reason: `${action}: ${reason}` });
      if (action === 'join') {
        const wish = { node: id, organizationId: call.body.organization_id ?? '' };
        const { approvalId } = await approvals.give('node', wish, giverOf(call, reason));
        if (approvalId !== null) noteAsked(call.audit, approvalId);
        return { ...nodes.row(id), approval_id: approvalId };
      }
      await nodes.act(id, call.body, (facts, object) =>
        tell({
          key: `staff/${call.idempotencyKey ?? newId('act')}/${object.metadata.uid}`,
          facts,
          object,
          title: STAFF_WORDS.drainTitle,
          content: DRAINED[facts.kind] ?? STAFF_WORDS.drain,
          args: { ...saidOf(call.caller, reason), ...nameOf(facts, object) },
        }),
      );
      return { ...nodes.row(id), approval_id: null };
    }),
    serve(NODE_ROUTES.adminAboutNodes, async ({ params: { id }, language }) => {
      const [about, audit] = await Promise.all([
        nodes.about(id),
        entriesAbout([{ organizationId: '', object: `Node/${id}` }], language),
      ]);
      return { ...about, audit };
    }),
  ];
}

const DRAINED: Readonly<Record<string, Words>> = {
  [job.kind]: STAFF_WORDS.drainJob,
  [dataProcess.kind]: STAFF_WORDS.drainJob,
  [fineTune.kind]: STAFF_WORDS.drainJob,
  [evaluation.kind]: STAFF_WORDS.drainJob,
  [containerService.kind]: STAFF_WORDS.drainService,
  [modelDeployment.kind]: STAFF_WORDS.drainService,
};

/** The person who did it: the first of their roles, and their name. */
const saidOf = ({ account }: Caller, reason: string) => ({
  who: account.name,
  role: STAFF_ROLE_WORDS[PLATFORM_ROLES.find((role) => account.platformRoles.includes(role)) ?? 'support'],
  reason,
});

const nameOf = ({ words }: KindFacts, object: KubeObject) => {
  const { displayName } = (object as KubeObject & { spec?: { displayName?: string } }).spec ?? {};
  return { kind: words, name: displayName ?? object.metadata.name };
};
