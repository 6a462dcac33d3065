// The API reference of the help centre: every call of customers by area, as the OpenAPI document has it. Operators' calls are in that
// document alone.
import * as z from 'zod';
import { defineRoute } from '../../http/define-route.ts';
import { RIGHTS } from '../../roles.ts';

const count = z.int().min(0);
const refusal = z.object({
  status: z.int(),
  code: z.string().meta({ description: '`error` of the answer.' }),
  message: z.string().meta({ description: 'Its sentence, with the names of what is filled in.' }),
});

const field = z.object({
  name: z.string().meta({ description: '`a.b` is field b of a; `a[].b` that of each in a.' }),
  type: z.string(),
  is_required: z.boolean(),
  description: z.string().nullable(),
});
export type ApiFieldView = z.input<typeof field>;
const fields = z.object({
  items: z.array(field),
  more: count.meta({ description: 'How many more there are, in the OpenAPI document.' }),
});

const apiCall = z.object({
  id: z.string(),
  method: z.string(),
  path: z.string(),
  summary: z.string().meta({ description: 'In English.' }),
  needs: z.enum(['nothing', 'account', 'right', 'token']).meta({
    description:
      'account: somebody is signed in. right: a role, and a token, with it. token: an API token that may use models.',
  }),
  right: z.enum(RIGHTS).nullable(),
  path_fields: fields,
  query_fields: fields,
  header_fields: fields,
  body: fields.extend({ type: z.string() }).nullable(),
  answer: fields.extend({ status: z.int(), type: z.string() }),
  errors: z.array(refusal).meta({ description: 'Besides those of every call.' }),
});
export type ApiCallView = z.input<typeof apiCall>;

const ofArea = z.object({ area: z.string(), calls: z.array(apiCall) });
export type ApiAreaView = z.input<typeof ofArea>;
const overview = z.object({
  areas: z.array(z.object({ area: z.string(), calls: count })),
  errors: z.array(refusal).meta({ description: 'Those that any call may answer with.' }),
});
export type ApiOverviewView = z.input<typeof overview>;

const tag = 'portal';

export const API_REFERENCE_ROUTES = {
  listApiAreas: defineRoute({
    id: 'listApiAreas',
    method: 'GET',
    path: '/portal/v1/api',
    tag,
    summary: 'The areas of the API, and the refusals that any call may answer with.',
    access: 'public',
    answer: { result: overview },
    problems: [],
  }),
  readApiArea: defineRoute({
    id: 'readApiArea',
    method: 'GET',
    path: '/portal/v1/api/{area}',
    tag,
    summary: 'The calls of one area: what each needs, its fields, its answer and its refusals.',
    access: 'public',
    params: z.object({ area: z.string().regex(/^[a-z0-9-]{1,63}$/) }),
    answer: { result: ofArea },
    problems: [],
  }),
};
