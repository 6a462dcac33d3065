// The tables of every area.
import * as alerts from './schema/alerts.ts';
import * as approvals from './schema/approvals.ts';
import * as audit from './schema/audit.ts';
import * as collected from './schema/collected.ts';
import * as credentials from './schema/credentials.ts';
import * as dashboards from './schema/dashboards.ts';
import * as datasets from './schema/datasets.ts';
import * as doctor from './schema/doctor.ts';
import * as evaluations from './schema/evaluations.ts';
import * as events from './schema/events.ts';
import * as files from './schema/files.ts';
import * as gpuFaults from './schema/gpu-faults.ts';
import * as home from './schema/home.ts';
import * as idempotency from './schema/idempotency.ts';
import * as identity from './schema/identity.ts';
import * as idle from './schema/idle.ts';
import * as invitations from './schema/invitations.ts';
import * as invoices from './schema/invoices.ts';
import * as keys from './schema/keys.ts';
import * as ledger from './schema/ledger.ts';
import * as lineage from './schema/lineage.ts';
import * as messages from './schema/messages.ts';
import * as models from './schema/models.ts';
import * as operation from './schema/operation.ts';
import * as payments from './schema/payments.ts';
import * as people from './schema/people.ts';
import * as portal from './schema/portal.ts';
import * as prices from './schema/prices.ts';
import * as realAuth from './schema/real-auth.ts';
import * as registries from './schema/registries.ts';
import * as staff from './schema/staff.ts';
import * as tasks from './schema/tasks.ts';
import * as terminal from './schema/terminal.ts';
import * as tokens from './schema/tokens.ts';
import * as traffic from './schema/traffic.ts';
import * as turns from './schema/turns.ts';
import * as usage from './schema/usage.ts';

export const SCHEMA = {
  ...people,
  ...portal,
  ...messages,
  ...identity,
  ...idle,
  ...idempotency,
  ...invitations,
  ...keys,
  ...realAuth,
  ...registries,
  ...doctor,
  ...events,
  ...home,
  ...tasks,
  ...evaluations,
  ...terminal,
  ...tokens,
  ...ledger,
  ...prices,
  ...usage,
  ...payments,
  ...invoices,
  ...approvals,
  ...traffic,
  ...turns,
  ...audit,
  ...staff,
  ...operation,
  ...models,
  ...lineage,
  ...credentials,
  ...files,
  ...datasets,
  ...collected,
  ...alerts,
  ...dashboards,
  ...gpuFaults,
};
