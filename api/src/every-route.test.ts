// Properties of every route, generated from the table so that none escapes: who may not call it, which input it refuses, and that
// another organisation's objects do not exist. Tests of what a route does are beside its area.
import { LINEAGE_KINDS, LINEAGE_ROUTES } from '@gantry/contract/areas/lineage/lineage.ts';
import type { KindFacts } from '@gantry/contract/define-kind.ts';
import type { RouteFacts } from '@gantry/contract/http/define-route.ts';
import { KIND_ROUTES } from '@gantry/contract/http/kind-routes.ts';
import { problemsOfEveryRoute } from '@gantry/contract/http/openapi.ts';
import { statusOf } from '@gantry/contract/http/problem.ts';
import { ROUTES } from '@gantry/contract/http/routes.ts';
import { KINDS } from '@gantry/contract/kinds.ts';
import { mayRole, ORG_ROLES } from '@gantry/contract/roles.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eq } from 'drizzle-orm';
import * as z from 'zod';
import { migratedDatabase, resetDatabase } from '../../test/support/database.ts';
import type { Reply } from '../../test/support/http-client.ts';
import { type MemoryGateway, startMemoryGateway } from '../../test/support/memory-gateway.ts';
import { SOUND } from '../../test/support/sound-objects.ts';
import { recordMade } from './core/lineage/lineage-rows.ts';
import { messages } from './platform/db/schema/messages.ts';
import { MOST_BODY_BYTES } from './platform/http/read-body.ts';

let gateway: MemoryGateway;
beforeAll(async () => {
  const db = await migratedDatabase();
  await resetDatabase(db);
  gateway = await startMemoryGateway({ db });
}, 120_000);
afterAll(() => gateway.stop());

const routes = Object.values(ROUTES);
const titled = (of: readonly RouteFacts[]) => of.map((route) => [`${route.method} ${route.path}`, route] as const);

interface Said {
  params?: Readonly<Record<string, string>>;
  query?: string;
  method?: string;
  token?: string | undefined;
  headers?: Readonly<Record<string, string>>;
  body?: string;
}

async function ask(route: RouteFacts, { params = {}, query = '', method, token, headers, body }: Said = {}) {
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(params[name] ?? sampleParam(route, name)),
  );
  const answer = await gateway.client(token).fetch(`/api${path}${query}`, {
    method: method ?? route.method,
    ...(headers && { headers }),
    ...(body !== undefined && { body }),
  });
  const text = await answer.text();
  const isJson = /[/+]json/.test(answer.headers.get('content-type') ?? '');
  return { status: answer.status, headers: answer.headers, body: isJson ? JSON.parse(text) : text } as Reply;
}

const JSON_TYPE = { 'content-type': 'application/json' };

/** Something that the rule of this parameter lets through, and that names nothing there is. */
function sampleParam(route: RouteFacts, name: string): string {
  const rule = (route.params as z.ZodObject).shape[name] as z.ZodType;
  const found = SAMPLES.find((sample) => rule.safeParse(sample).success);
  if (found === undefined) throw new Error(`${route.path}: no sample fits {${name}}`);
  return found;
}
const SAMPLES = [
  'ins-00000000',
  'trm-00000000',
  'zzzzzzzz',
  'challenge',
  '1',
  'dsk-00000000.ins-00000000',
  'zz@example.com',
];

/** A valid query, so that only the property under test decides. */
const queryOf = (route: RouteFacts): string => {
  const path = { path: '/nothing', from: '/nothing', to: '/nowhere', kind: 'model' };
  const needed = Object.entries(route.query?.shape ?? {}).filter(
    ([, rule]) => !(rule as z.ZodType).safeParse(undefined).success,
  );
  const pairs = needed.map(([name, rule]) => {
    const samples = [path[name as keyof typeof path] ?? 'x', 'zzzzzzzz', ...SAMPLES, '0'];
    const value = samples.find((sample) => (rule as z.ZodType).safeParse(sample).success);
    return `${name}=${encodeURIComponent(value ?? 'x')}`;
  });
  return pairs.length > 0 ? `?${pairs.join('&')}` : '';
};

const root = () => gateway.tokens.administrator;
const isSignedIn = ({ access }: RouteFacts) => access !== 'public';

describe.each(titled(routes.filter(isSignedIn)))('%s', (_, route) => {
  describe('401', () => {
    test.each([
      ['without a token', () => ({})],
      ['with a token that is over', () => ({ token: gateway.tokens.expired })],
      ['with a token that a cookie has', () => ({ headers: { cookie: `gantry_token=${root()}; x-token=${root()}` } })],
      ['with a token that the address has', () => ({ query: `?token=${root()}&x-token=${root()}` })],
    ])('%s', async (_title, said) => {
      const { status, body } = await ask(route, said());
      expect([status, body.error, body.message]).toEqual([401, 'unauthenticated', 'no valid user token provided']);
    });
  });

  describe('409', () => {
    test('an OrgId that is not what the token says', async () => {
      const { status, body } = await ask(route, { token: root(), headers: { OrgId: 'otherorg' } });
      expect([status, body.error, body.field]).toEqual([409, 'org_mismatch', 'OrgId']);
    });
  });
});

describe.each(titled(routes.filter(({ access }) => typeof access === 'object')))('%s', (_, route) => {
  const { access } = route;
  if (typeof access !== 'object') return;
  const lacking = ORG_ROLES.filter((role) => 'platform' in access || !mayRole(role, access.right));
  if (lacking.length > 0)
    test(`403: as ${lacking.join(', ')}`, async () => {
      const said = await Promise.all(lacking.map((role) => ask(route, { token: gateway.tokens[role] })));
      expect(said.map(({ status, body }) => [status, body.error])).toEqual(
        lacking.map(() => [403, 'permission_missing']),
      );
    });

  const narrowed = 'right' in access && access.right === 'view' ? 'use' : 'view';
  test(`403: by an API token of an administrator, narrowed to ${narrowed}`, async () => {
    const { status, body } = await ask(route, { token: gateway.narrowed[narrowed] });
    expect([status, body.error]).toEqual([403, 'permission_missing']);
  });
});

// A login provider adds what it likes to the callback.
describe.each(titled(routes.filter(({ id }) => id !== 'loginCallback')))('%s', (_, route) => {
  test('400: a field of the query that nobody knows', async () => {
    const query = queryOf(route);
    const { status, body } = await ask(route, { token: root(), query: `${query || '?'}${query ? '&' : ''}nonsense=1` });
    expect([status, body.error, body.field]).toEqual([400, 'invalid_field', 'nonsense']);
  });

  test('405: a method that this path has not', async () => {
    const others = routes.filter(({ path }) => matches(path, route.path)).map(({ method }) => method);
    const method = (['PATCH', 'PUT', 'DELETE', 'POST'] as const).find((one) => !others.includes(one));
    if (!method) return;
    const { status, body, headers } = await ask(route, { token: root(), method });
    expect([status, body.error]).toEqual([405, 'method_not_allowed']);
    expect(headers.get('allow')).toContain(route.method);
  });
});

const matches = (pattern: string, path: string): boolean =>
  new RegExp(`^${pattern.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path.replaceAll(/\{\w+\}/g, 'x'));

const withBody = routes.filter(({ body }) => body);
describe.each(titled(withBody))('%s', (_, route) => {
  const say = (body: string, headers: Readonly<Record<string, string>> = JSON_TYPE) =>
    ask(route, { token: root(), query: queryOf(route), headers, body });

  describe('400', () => {
    test('a body that is no JSON', async () => {
      const { status, body } = await say('{"a":');
      expect([status, body.error]).toEqual([400, 'malformed_json']);
    });

    test.each([
      ['an array', '[]'],
      ['a field that nobody knows', '{"nonsense":1}'],
    ])('%s, with the field named', async (_title, text) => {
      const { status, body } = await say(text);
      expect([status, typeof body.field]).toEqual([400, 'string']);
    });
  });

  test('413: a body that is too large', async () => {
    const { status, body } = await say(`{"a":"${'x'.repeat((route.bodyBytes ?? MOST_BODY_BYTES) + 1)}"}`);
    expect([status, body.error]).toEqual([413, 'too_large']);
  });

  test('415: another media type', async () => {
    const { status, body } = await say('{}', { 'content-type': 'text/plain' });
    expect([status, body.error]).toEqual([415, 'wrong_media_type']);
  });

  test('no part of its body lets unknown fields through', () => {
    const schema = z.toJSONSchema(route.body as z.ZodType, { io: 'input', unrepresentable: 'any', reused: 'inline' });
    expect(openObjects(schema, 'body')).toEqual([]);
  });
});

/** A puzzle belongs to its widget, and a record is open on purpose. */
function openObjects(schema: unknown, path: string): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { properties, additionalProperties } = schema as { properties?: object; additionalProperties?: unknown };
  const own = properties !== undefined && additionalProperties !== false ? [path] : [];
  return [...own, ...Object.entries(schema).flatMap(([name, part]) => openObjects(part, `${path}.${name}`))];
}

const strangerOf = ({ idPrefix }: Pick<KindFacts, 'idPrefix'>) => `${idPrefix}-stranger`;

// The object behind a path's last parameter, and such an id in another organisation.
const foreignParams = ({ path }: RouteFacts): Record<string, string> => {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '');
  const { foreign } = gateway;
  if (names[0] === 'org_id')
    return { org_id: foreign.organization ?? '', account_id: foreign.account ?? '', id: 'inv-00000000' };
  const kind = Object.values<KindFacts>(KINDS).find(({ collection }) => path.startsWith(`/${collection}/{`));
  const word = /\/([\w-]+)\/\{/.exec(path)?.[1] ?? '';
  const id = kind ? strangerOf(kind) : foreign[word];
  if (id === undefined) throw new Error(`${path}: the other organisation has no ${word}`);
  return { id };
};

/** An unknown id of the same length as the foreign one, so that no rule tells them apart. */
const absent = (id: string): string => id.replaceAll(/stranger|otherorg/g, 'qqqqqqqq');

/** The answer without the parts that name the object and the call. */
const plain = ({ status, body }: Reply): string =>
  JSON.stringify({ status, ...(typeof body === 'string' ? { body } : { ...body, request_id: '' }) })
    .replaceAll('acc-stranger', '<id>')
    .replaceAll('acc-qqqqqqqq', '<id>')
    .replaceAll(/stranger|otherorg|qqqqqqqq/g, '<id>');

// Staff see every organisation; tests above cover who is staff.
const isOfTenants = ({ access }: RouteFacts) =>
  access !== 'public' && !(typeof access === 'object' && 'platform' in access);
const named = routes.filter((route) => isOfTenants(route) && route.path.includes('{'));

describe.each(titled(named))('%s', (_, route) => {
  test("404: another organisation's is answered as what does not exist", async () => {
    const params = foreignParams(route);
    const body = BODIES[route.id];
    if (route.body && body === undefined) throw new Error(`${route.id}: no body that is right stands in BODIES`);
    const say = (values: Readonly<Record<string, string>>) =>
      ask(route, {
        token: gateway.tokens.owner,
        params: values,
        query: queryOf(route),
        ...(route.body && body !== undefined && { headers: JSON_TYPE, body }),
      });
    const theirs = await say(params);
    const nobodys = await say(Object.fromEntries(Object.entries(params).map(([name, id]) => [name, absent(id)])));
    expect(plain(theirs)).toBe(plain(nobodys));
    expect(theirs.status).toBe(404);
  });
});

test.each(LINEAGE_KINDS)("lineage: another organisation's %s is answered as what does not exist", async (kind) => {
  const [own, stranger] = ['own', 'stranger'].map((whose) => `x-${kind}-${whose}`) as [string, string];
  for (const [organizationId, ref] of [
    ['acmeorgs', own],
    ['otherorg', stranger],
  ] as const) {
    const node = { organizationId, kind, ref, version: null, uid: ref, digest: '', name: ref };
    await recordMade(gateway.db.sql, node, { from: [], at: new Date() });
  }
  for (const route of Object.values(LINEAGE_ROUTES)) {
    const say = (id: string) =>
      ask(route, { token: gateway.tokens.owner, query: `?${new URLSearchParams({ kind, id })}` });
    expect((await say(own)).status).toBe(200);
    const theirs = await say(stranger);
    expect(theirs.status).toBe(404);
    expect(plain(theirs)).toBe(plain(await say(absent(stranger))));
  }
});

test("another's message stays unread", async () => {
  const [row] = await gateway.db.sql.select().from(messages).where(eq(messages.accountId, 'acc-stranger'));
  expect(row).toMatchObject({ readAt: null });
});

type WritingRoutes = Partial<Record<'act' | 'change' | 'batch', RouteFacts>>;
const writing = Object.entries(KIND_ROUTES as Readonly<Record<string, WritingRoutes>>).map(([key, routes]) => {
  const facts: KindFacts = KINDS[key as keyof typeof KINDS];
  return { ...routes, facts, sound: SOUND[key as keyof typeof SOUND].spec };
});

/** A command that these routes take. */
const commandOf = ({ body }: RouteFacts): string =>
  (body as z.ZodObject<{ action: z.ZodEnum }>).shape.action.options[0] as string;

/** One field of a sound object that this route lets people change. */
function changeOf({ id, body }: RouteFacts, sound: Readonly<Record<string, unknown>>): object {
  const { shape } = body as z.ZodObject;
  const field = Object.keys(shape).find((name) => shape[name]?.safeParse(sound[name]).data !== undefined);
  if (field === undefined) throw new Error(`${id}: the kind's sound object has no field that may be changed`);
  return { [field]: sound[field] };
}

/** Valid bodies, so that only the named object decides. */
const BODIES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    writing.flatMap(({ act, change, sound }) => [
      ...(act ? [[act.id, JSON.stringify({ action: commandOf(act) })]] : []),
      ...(change ? [[change.id, JSON.stringify(changeOf(change, sound))]] : []),
    ]),
  ),
  editAccount: '{"locale":"ja"}',
  editDashboard: '{"title":"x","panels":[],"version":1}',
  editChat: '{"title":"x","model":"tiny","messages":[]}',
  editModelAlias: '{"name":"best","targets":[{"deployment":"tiny","weight":1}]}',
  editModel: '{"name":"mine"}',
  editDataset: '{"name":"mine"}',
  setTestQuestions: '{"questions":[]}',
  createDatasetVersion: '{}',
  importDatasetFromCollected: '{"deployment":"dep-own"}',
  importDatasetFromHub: '{"repository":"lab/rows"}',
  importDatasetFromDisk: '{"disk":"data"}',
  importDatasetFromS3: '{"address":"s3://data/train"}',
  findDatasetRows: '{}',
  searchDataset: '{"text":"x"}',
  queryDataset: '{"sql":"SELECT 1"}',
  previewDataProcess: '{"type":"QaPairs","input":{"dataset":"dst-1"},"qa":{"rules":"Headings"}}',
  previewFineTune: '{"base":{"model":"mdl-1","version":"1"},"datasets":[{"dataset":"dst-1"}]}',
  compareDatasetRows: '{"with":1}',
  addDatasetFiles: '{"files":[{"path":"a","size_bytes":1}]}',
  uploadModelVersion: '{"version":"1","files":[{"path":"a","size_bytes":1}]}',
  importModelVersion: '{"version":"1","repository":"lab/tiny"}',
  importModelFromDisk: '{"version":"1","disk":"data"}',
  updatePolicyStatus: '{"status":"blocking"}',
  operateAlert: '{"operation":"close"}',
  queryAlert: '{"start":0,"end":60,"step":60}',
  openTerminal: '{"session":"new"}',
  openInstanceWeb: '{"port":8080}',
  openJobWeb: '{"port":8080}',
  makeFolder: '{"path":"/new"}',
  renameFile: '{"path":"/old","to":"/new"}',
  copyFile: '{"path":"/old","to":"/new"}',
  editOrganization: '{"org_name":"other"}',
  setIdlePolicy: '{"does":"Act","after_minutes":30}',
  seeOrganization: '{"is_new":false}',
  transferOrganization: '{"account_id":"acc-owner"}',
  inviteMembers: '{"members":[{"account":"owner","role":"viewer"}]}',
  editMember: '{"role":"viewer"}',
  updatePaymentMethod: '{}',
};

type OfOthers = readonly [id: string, said: { body?: object; query?: string }];

// Ids of others in bodies and queries.
test.each<OfOthers>([
  ...writing.flatMap(({ batch, facts }): OfOthers[] =>
    batch ? [[batch.id, { body: { action: commandOf(batch), ids: [strangerOf(facts)] } }]] : [],
  ),
  ['mountDisk', { body: { disk: 'dsk-stranger', resource: 'ins-own', mountPath: '/mnt/a' } }],
  ['mountDisk', { body: { disk: 'dsk-own', resource: 'ins-stranger', mountPath: '/mnt/a' } }],
  ['mountDisk', { body: { disk: 'dsk-own', resource: 'hst-stranger', mountPath: '/mnt/a' } }],
  ['listMounts', { query: '?disk=dsk-stranger' }],
  ['listMounts', { query: '?resource=ins-stranger' }],
  ['compareEvaluations', { query: '?ids=evl-stranger' }],
  ['switchOrganization', { body: { org_id: 'otherorg' } }],
])('%s with %j says what it says of what does not exist', async (id, said) => {
  const route = routes.find((one) => one.id === id);
  if (!route) throw new Error(`there is no ${id}`);
  const say = (change: (text: string) => string) =>
    ask(route, {
      token: gateway.tokens.owner,
      query: change(said.query ?? ''),
      ...(said.body && { headers: JSON_TYPE, body: change(JSON.stringify(said.body)) }),
    });
  const theirs = await say((text) => text);
  expect(plain(theirs)).toBe(plain(await say(absent)));
  // It was not refused for its form, which would be the same for all.
  expect(theirs.body).not.toMatchObject({ error: 'invalid_field' });
});

test("the frame's own answers are in the document of every route", () => {
  for (const route of routes) {
    const statuses = problemsOfEveryRoute(route).map(statusOf);
    expect(statuses).toEqual(expect.arrayContaining([400, 429, 500, 503]));
    if (isSignedIn(route)) expect(statuses).toEqual(expect.arrayContaining([401, 409]));
  }
});

const isList = ({ method, path, answer }: RouteFacts) =>
  method === 'GET' &&
  !path.includes('{') &&
  ('list' in answer || ('data' in answer && (answer.data as { def: { type: string } }).def.type === 'array'));

test.each(titled(routes.filter(isList)))(
  '%s says how long its list is, with a slash at the end of its path, too',
  async (_, route) => {
    for (const slash of ['', '/']) {
      const { status, body } = await ask(
        { ...route, path: route.path + slash },
        { token: root(), query: queryOf(route) },
      );
      expect(status).toBe(200);
      expect(body.paginated).toMatchObject({
        num: body.data.length,
        total_num: expect.any(Number),
        extra: expect.any(Object),
      });
    }
  },
);

const filtered = routes.filter(({ query }) => query?.shape.filter !== undefined);
test('there are lists with a filter', () => expect(filtered.length).toBeGreaterThan(10));
test.each(titled(filtered))('%s refuses NUL in the JSON of its filter', async (_, route) => {
  for (const filter of ['{"q":"\\u0000"}', '{"id":"\\u0000"}', '{"id":["\\ud800"]}']) {
    const { status } = await ask(route, { token: root(), query: `?filter=${encodeURIComponent(filter)}` });
    expect(status).toBe(400);
  }
});
