// The operators' home and what makes every menu quick: the big screen, the search over everything, a person's own saved queries,
// and accounts from a file.
import * as z from 'zod';
import { currencyCode, money } from '../../fields/amounts.ts';
import { plainText } from '../../fields/plain-text.ts';
import { ADMIN_RESOURCES, type AdminResourceName } from '../../http/admin.ts';
import { time } from '../../http/admin-resource.ts';
import { defineRoute } from '../../http/define-route.ts';

const tag = 'admin';
const RESOURCE_NAMES = Object.keys(ADMIN_RESOURCES) as [AdminResourceName, ...AdminResourceName[]];

/** GPUs of one model. Each is counted once: `total` is the sum of the other four. */
const gpus = z.object({
  model: z.string(),
  name: z.string(),
  total: z.int(),
  used: z.int().meta({ description: 'Requested by something that runs or starts.' }),
  free: z.int().meta({ description: 'Whoever asks next gets it.' }),
  broken: z.int().meta({ description: 'Its node does not answer, or does not offer all that it has.' }),
  reserved: z.int().meta({ description: "Unused on a tenant's host, or on a node that takes nothing new." }),
});

const revenue = z.object({
  currency: currencyCode,
  today: money,
  today_before: money.meta({ description: 'Of the same day of last month, up to the same moment.' }),
  month: money,
  month_before: money.meta({ description: 'Of last month, up to the same day and moment.' }),
  month_by_credits: money.meta({ description: 'How much of `month` was paid with credits that staff gave.' }),
  since: time.meta({ description: 'When the day began: days are of UTC, as the books have them.' }),
});

const hour = z.object({
  at: time.meta({ description: 'When the hour began.' }),
  starts: z.int().nullable().meta({ description: 'Instances that began to run; null: nobody counted.' }),
  failures: z.int().nullable(),
});

const wait = z.object({
  resource: z.enum(['instances', 'hosts']),
  id: z.string(),
  name: z.string(),
  organization_id: z.string(),
  phase: z.string(),
  phase_label: z.string(),
  since: time,
  reason: z.string().nullable(),
  said: z.string().nullable().meta({ description: "The reason in one sentence, which may hold a tenant's words." }),
  is_public: z.boolean().meta({ description: "The sentence holds nothing of a tenant's: a wall may show it." }),
});

/** Faults of the platform itself that tenants cannot see. */
export const PLATFORM_ALARMS = [
  'nodeLost',
  'gpuFailed',
  'booksWrong',
  'evaluatorLate',
  'planStuck',
  'diskFull',
] as const;

const platformAlarm = z.object({
  name: z.enum(PLATFORM_ALARMS),
  count: z.int().min(1).meta({ description: 'How many things have it.' }),
  what: z.string().meta({ description: 'The first of them, by name.' }),
  since: time.nullable().meta({ description: 'Since when, if that is known.' }),
});

const percent = z.number().nullable();

export const overview = z.object({
  /** A part is null where the reader has not its menu. */
  computing: z
    .object({
      gpus: z.array(gpus),
      requested: z
        .array(z.object({ resource: z.enum(['gpu', 'cpu', 'memory']), amount: z.number(), of: z.number() }))
        .meta({ description: 'What running Pods request of what healthy nodes have; memory in GiB.' }),
      measured: z.object({ gpu: percent, cpu: percent, memory: percent }).nullable().meta({
        description: 'How busy it really is, in percent; null without Prometheus, or while it does not answer.',
      }),
      hours: z.array(hour).meta({ description: 'The last 24, the running one last.' }),
      waits: z.array(wait).meta({ description: 'The longest, oldest first.' }),
      waiting: z.int().meta({ description: 'How many wait, of whom `waits` are the first.' }),
    })
    .nullable(),
  revenue: z.array(revenue).nullable(),
  organizations: z
    .object({
      total: z.int(),
      newest: z.array(z.object({ id: z.string(), name: z.string(), created_at: time })),
    })
    .nullable(),
  alarms: z.array(platformAlarm).nullable(),
  tenants_firing: z.int().nullable().meta({ description: 'How many alarms of tenants fire.' }),
  stale_since: time.nullable().meta({ description: 'Since when the cluster is not heard; null while it is.' }),
});
export type Overview = z.output<typeof overview>;

const found = z.object({
  id: z.string(),
  title: z.string(),
  text: z.string().meta({ description: 'A second line: what tells it from its like.' }),
});

export const searchResult = z.object({
  groups: z.array(
    z.object({
      resource: z.enum(RESOURCE_NAMES),
      items: z.array(found),
      has_more: z.boolean(),
    }),
  ),
});
export type SearchResult = z.output<typeof searchResult>;

const MOST_QUERIES = 20;
const MOST_FILTER_LETTERS = 4_000;

/** As react-admin keeps them: what a list is filtered and sorted by, under a name. */
const savedQuery = z.strictObject({
  label: plainText(100),
  value: z.strictObject({
    filter: z
      .record(z.string().max(63), z.unknown())
      .refine((filter) => JSON.stringify(filter).length <= MOST_FILTER_LETTERS, 'admin_query_rule'),
    displayedFilters: z.record(z.string().max(63), z.boolean()).optional(),
    sort: z.strictObject({ field: z.string().max(63), order: z.enum(['ASC', 'DESC']) }).optional(),
    perPage: z.int().min(1).max(1000).optional(),
  }),
});

/** A limited number of queries per resource; a resource that no longer exists may stay in it. */
export const preferences = z.strictObject({
  saved_queries: z
    .record(z.string().regex(/^[a-z][a-z-]{0,62}$/), z.array(savedQuery).max(MOST_QUERIES))
    .refine((table) => Object.keys(table).length <= 100, 'admin_query_rule'),
});
export type Preferences = z.output<typeof preferences>;

/** The columns of a file of users; the first line names those that it has, in any order. */
export const IMPORT_COLUMNS = ['name', 'email', 'phone', 'organization', 'role', 'locale'] as const;
export const MOST_IMPORTED = 1_000;
const MOST_FILE_LETTERS = 256 * 1024;

const importOutcome = z.enum(['new', 'made', 'exists', 'refused']);

export const importAnswer = z.object({
  dry_run: z.boolean(),
  rows: z.array(
    z.object({
      line: z.int().meta({ description: 'In the file, from 1; the header is one.' }),
      name: z.string(),
      outcome: importOutcome.meta({
        description:
          'new: it would be made; made: it was; exists: an account has this name and address already, nothing changes; refused: `said` is why.',
      }),
      field: z.string().nullable(),
      problem: z.string().nullable(),
      said: z.string().nullable(),
      account_id: z.string().nullable(),
    }),
  ),
  counts: z.object({ new: z.int(), made: z.int(), exists: z.int(), refused: z.int() }),
});
export type ImportAnswer = z.output<typeof importAnswer>;

/** At most a hundred, with commas between them. */
const ids = z.string().regex(/^[A-Za-z0-9-]{1,63}(,[A-Za-z0-9-]{1,63}){0,99}$/);
export const names = z.object({
  accounts: z.record(z.string(), z.string()),
  organizations: z.record(z.string(), z.string()),
});
export type Names = z.output<typeof names>;

export const HOME_COMMANDS = {
  adminShowOverview: defineRoute({
    id: 'adminShowOverview',
    method: 'GET',
    path: '/admin/overview',
    tag,
    summary:
      "The platform at a glance: the parts of the reader's menus. Cheap to ask every few seconds, with its ETag.",
    access: { platform: 'any' },
    answer: { raw: overview },
    problems: [],
  }),
  adminSearch: defineRoute({
    id: 'adminSearch',
    method: 'GET',
    path: '/admin/search',
    tag,
    summary:
      'Finds what starts with it: ids, names, mails, phone numbers, transactions, invoices, addresses of instances, request ids.',
    access: { platform: 'any' },
    query: z.strictObject({ q: z.string().trim().min(2).max(100) }),
    answer: { raw: searchResult },
    problems: [],
  }),
  adminListNames: defineRoute({
    id: 'adminListNames',
    method: 'GET',
    path: '/admin/names',
    tag,
    summary: 'The names of accounts and organisations, by their ids. An id that there is not has none.',
    access: { platform: 'any' },
    query: z.strictObject({ accounts: ids.optional(), organizations: ids.optional() }),
    answer: { raw: names },
    problems: [],
  }),
  adminGetPreferences: defineRoute({
    id: 'adminGetPreferences',
    method: 'GET',
    path: '/admin/preferences',
    tag,
    summary: "The caller's own saved queries.",
    access: { platform: 'any' },
    answer: { raw: preferences },
    problems: [],
  }),
  adminSetPreferences: defineRoute({
    id: 'adminSetPreferences',
    method: 'PUT',
    path: '/admin/preferences',
    tag,
    summary: "Replaces the caller's own saved queries; nobody else sees them, so no reason is asked.",
    access: { platform: 'any' },
    body: preferences,
    bodyBytes: 64 * 1024,
    answer: { raw: preferences },
    problems: ['admin_query_rule'],
  }),
  adminImportUsers: defineRoute({
    id: 'adminImportUsers',
    method: 'POST',
    path: '/admin/users/import',
    tag,
    summary:
      'Makes accounts from a CSV file, each row by itself, and mails each person how to set a password. dry_run=true only says what would happen.',
    access: { platform: 'user', role: 'administrator' },
    query: z.strictObject({ dry_run: z.enum(['true', 'false']).default('false') }),
    body: z.strictObject({
      csv: z
        .string()
        .min(1)
        .max(MOST_FILE_LETTERS)
        .meta({
          description: `UTF-8 with a header of ${IMPORT_COLUMNS.join(', ')}: name, and email or phone, are needed. At most ${MOST_IMPORTED} rows.`,
        }),
      reason: plainText(1000).meta({ description: 'Why: the audit log keeps it.' }),
    }),
    bodyBytes: 1024 * 1024,
    answer: { raw: importAnswer },
    exempt: true,
    problems: ['import_malformed', 'import_columns', 'import_too_long'],
  }),
};
