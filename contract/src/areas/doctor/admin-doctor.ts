// Checks of the cluster in the operators' menu "operation": each with what it found, and what it found the time before.
import * as z from 'zod';
import { CHECK_IDS, FINDINGS } from '../../doctor.ts';
import { plainText } from '../../fields/plain-text.ts';
import { oneOf, time } from '../../http/admin-resource.ts';
import { defineRoute } from '../../http/define-route.ts';

/** `broken`: its gateway stopped meanwhile. */
export const CLUSTER_CHECK_STATES = ['running', 'done', 'broken'] as const;

const finding = z.enum(FINDINGS);
const result = z.object({
  check: z.enum(CHECK_IDS),
  finding,
  /** In the last report that was done before this one; null where there is none. */
  before: finding.nullable(),
  found: z.array(z.object({ reason: z.string(), args: z.record(z.string(), z.string()) })),
  took_ms: z.int(),
});

export const DOCTOR_RESOURCES = {
  'cluster-checks': {
    menu: 'operation',
    one: 'check of the cluster',
    row: z.object({
      id: z.string(),
      state: z.enum(CLUSTER_CHECK_STATES),
      started_at: time,
      ended_at: time.nullable(),
      started_by: z.string(),
      reason: z.string(),
      /** The worst of its findings; null while there is none. */
      finding: finding.nullable(),
      done: z.int(),
      total: z.int(),
      results: z.array(result),
    }),
    columns: ['started_at', 'state', 'finding', 'done', 'total', 'started_by', 'ended_at'],
    order: ['started_at', 'DESC'],
    references: { started_by: 'users' },
    sort: ['id', 'started_at', 'ended_at', 'state'],
    filter: { state: oneOf(z.enum(CLUSTER_CHECK_STATES)) },
  },
} as const;

export const DOCTOR_COMMANDS = {
  adminCheckCluster: defineRoute({
    id: 'adminCheckCluster',
    method: 'POST',
    path: '/admin/cluster-checks',
    tag: 'admin',
    summary: 'Begins to check the cluster, with throw-away Pods and volumes; the results appear in the list.',
    access: { platform: 'operation' },
    body: z.strictObject({
      reason: plainText(1000).meta({ description: 'Why: the audit log keeps it.' }),
    }),
    answer: { raw: DOCTOR_RESOURCES['cluster-checks'].row },
    status: 202,
    problems: ['cluster_check_running'],
  }),
};
