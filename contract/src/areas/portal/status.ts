// The status page: what is checked once a minute, and incidents, which staff write.
import * as z from 'zod';
import { dateTime } from '../../fields/date-time.ts';
import { plainText } from '../../fields/plain-text.ts';
import { oneOf, time } from '../../http/admin-resource.ts';
import { defineRoute } from '../../http/define-route.ts';
import { lines, texts } from '../settings/admin-operation.ts';
import { INCIDENT_STATES, STATUS_COMPONENTS } from './incident-facts.ts';

/** Today is one of them. */
export const DAYS_OF_STATUS = 90;
export const MOST_UPDATES = 50;

const component = z.enum(STATUS_COMPONENTS);
const state = z.enum(INCIDENT_STATES);
const components = z.array(component).min(1).max(STATUS_COMPONENTS.length);
const count = z.int().min(0);
const percent = z.number().min(0).max(100);
const reason = plainText(1000).meta({ description: 'Why: the audit log keeps it.' });
const text = texts(4000);
const title = lines(200);

export const STATUS_RESOURCES = {
  incidents: {
    menu: 'operation',
    one: 'incident',
    row: z.object({
      id: z.string(),
      title,
      state,
      components: z.array(component),
      started_at: time,
      resolved_at: time.nullable(),
      /** The earliest first. */
      updates: z.array(z.object({ at: time, state, text, by: z.string().nullable() })),
      created_by: z.string().nullable(),
    }),
    columns: ['title', 'state', 'components', 'started_at', 'resolved_at', 'created_by'],
    order: ['started_at', 'DESC'],
    references: { created_by: 'users' },
    sort: ['id', 'started_at', 'resolved_at'],
    filter: { state: oneOf(state) },
  },
} as const;

const tag = 'admin';
const access = { platform: 'operation' } as const;
const ofOne = z.object({ id: z.string().min(1).max(200) });

export const STATUS_COMMANDS = {
  adminCreateIncident: defineRoute({
    id: 'adminCreateIncident',
    method: 'POST',
    path: '/admin/incidents',
    tag,
    summary: 'Tells visitors of the status page of an incident, with its first words.',
    access,
    body: z.strictObject({
      title,
      text,
      components,
      state: state.default('investigating'),
      started_at: dateTime.optional(),
      reason,
    }),
    answer: { raw: STATUS_RESOURCES.incidents.row },
    status: 201,
    problems: ['incident_start'],
  }),
  adminUpdateIncident: defineRoute({
    id: 'adminUpdateIncident',
    method: 'POST',
    path: '/admin/incidents/{id}/update',
    tag,
    summary: 'Adds words to an incident, with its state from now on: `resolved` ends it, and another opens it again.',
    access,
    params: ofOne,
    body: z.strictObject({ state, text, title: title.optional(), components: components.optional(), reason }),
    answer: { raw: STATUS_RESOURCES.incidents.row },
    problems: ['incident_full'],
  }),
};

const status = z.object({
  components: z
    .array(
      z.object({
        id: component,
        state: z.enum(['up', 'down', 'unknown']).meta({ description: 'By the last check; unknown: it is too old.' }),
        percent: percent.nullable().meta({ description: 'Checks that succeeded, of all in the last 90 days.' }),
        checks: count,
        passed: count,
        days: z.array(z.object({ day: z.string(), percent })),
      }),
    )
    .meta({ description: 'Those that the installation has.' }),
  incidents: z
    .array(
      z.object({
        id: z.string(),
        title: z.string(),
        state,
        components: z.array(component),
        started_at: time,
        resolved_at: time.nullable(),
        updates: z.array(z.object({ at: time, state, text: z.string() })),
      }),
    )
    .meta({ description: 'Those that are open, and those of the last 90 days, the newest first; at most 100.' }),
});
export type StatusView = z.input<typeof status>;

export const STATUS_ROUTES = {
  readStatus: defineRoute({
    id: 'readStatus',
    method: 'GET',
    path: '/portal/v1/status',
    tag: 'portal',
    summary: 'How the platform is and was, by a check a minute, and its incidents.',
    access: 'public',
    answer: { result: status },
    problems: [],
  }),
};
