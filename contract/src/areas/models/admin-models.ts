// The operators' menu "model": every model of the installation, and which of them the library shows; and what requests to models
// have used, which is about money.
import * as z from 'zod';
import { currencyCode, money } from '../../fields/amounts.ts';
import { plainText } from '../../fields/plain-text.ts';
import { oneOf, q, time } from '../../http/admin-resource.ts';
import { defineRoute } from '../../http/define-route.ts';
import { MODEL_STATES } from './models.ts';

const reason = plainText(1000).meta({ description: 'Why: the audit log keeps it.' });
const count = z.int().min(0);

export const MODEL_RESOURCES = {
  models: {
    menu: 'model',
    one: 'model',
    row: z.object({
      id: z.string(),
      name: z.string(),
      organization_id: z.string(),
      organization_name: z.string(),
      state: z.enum(MODEL_STATES),
      shelved: z.boolean(),
      /** Its organisation is one that staff of the catalogue own. */
      can_shelve: z.boolean(),
      license: z.string().nullable(),
      structure: z.string().nullable(),
      parameters: count.nullable(),
      quantisation: z.string().nullable(),
      latest_version: z.string().nullable(),
      version_count: count,
      size_bytes: count,
      downloads: count,
      shelved_at: time.nullable(),
      shelved_by: z.string().nullable(),
      created_at: time,
      updated_at: time,
    }),
    columns: [
      'name',
      'organization_id',
      'state',
      'shelved',
      'structure',
      'parameters',
      'quantisation',
      'latest_version',
      'downloads',
      'updated_at',
    ],
    order: ['updated_at', 'DESC'],
    references: { organization_id: 'organizations', shelved_by: 'users' },
    sort: ['id', 'name', 'organization_id', 'license', 'downloads', 'shelved_at', 'created_at', 'updated_at'],
    filter: {
      ...q,
      organization_id: oneOf(z.string().max(63)),
      shelved: z.boolean().optional(),
      can_shelve: z.boolean().optional(),
    },
  },
  'token-usage': {
    menu: 'billing',
    one: "month of a model's tokens",
    row: z.object({
      id: z.string(),
      month: z.string().meta({ description: 'YYYY-MM, UTC.' }),
      organization_id: z.string(),
      organization_name: z.string(),
      /** The name of the object, by which requests call it; it may be gone. */
      deployment: z.string(),
      deployment_uid: z.string(),
      requests: count,
      prompt_tokens: count,
      cached_tokens: count,
      completion_tokens: count,
      estimated_requests: count,
      currency: currencyCode,
      amount: money,
    }),
    columns: [
      'month',
      'organization_id',
      'deployment',
      'requests',
      'prompt_tokens',
      'cached_tokens',
      'completion_tokens',
      'amount',
    ],
    order: ['month', 'DESC'],
    references: { organization_id: 'organizations' },
    sort: [
      ...['id', 'month', 'organization_id', 'organization_name', 'deployment', 'requests', 'prompt_tokens'],
      ...['cached_tokens', 'completion_tokens', 'estimated_requests', 'amount'],
    ],
    filter: {
      ...q,
      month: oneOf(z.string().regex(/^\d{4}-\d{2}$/)),
      organization_id: oneOf(z.string().max(63)),
      deployment: oneOf(z.string().max(63)),
    },
  },
} as const;

const tag = 'admin';
const command = {
  method: 'POST',
  tag,
  access: { platform: 'model' },
  params: z.object({ id: z.string().min(1).max(200) }),
  body: z.strictObject({ reason }),
  answer: { raw: MODEL_RESOURCES.models.row },
} as const;

export const MODEL_COMMANDS = {
  adminShelveModel: defineRoute({
    ...command,
    id: 'adminShelveModel',
    path: '/admin/models/{id}/shelve',
    summary: 'Offers a model in the library, to every organisation. It belongs to an organisation that staff own.',
    problems: ['model_abnormal', 'model_of_tenant'],
  }),
  adminUnshelveModel: defineRoute({
    ...command,
    id: 'adminUnshelveModel',
    path: '/admin/models/{id}/unshelve',
    summary: 'Takes a model from the library; it stays in the space that it is in.',
    problems: ['model_abnormal'],
  }),
};
