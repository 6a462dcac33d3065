// What holds for every route, generated from the table so that none escapes: who may not call it, what it refuses to read, and
// that another organisation's objects are not there. What a route does is tested beside its area.
import type { RouteFacts } from '@gantry/contract/http/define-route.ts';
import { problemsOfEveryRoute } from '@gantry/contract/http/openapi.ts';
import { statusOf } from '@gantry/contract/http/problem.ts';
import { ROUTES } from '@gantry/contract/http/routes.ts';
import { mayRole, ORG_ROLES } from '@gantry/contract/roles.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import * as z from 'zod';
import { memoryDatabase, resetDatabase } from '../../../test/support/database.ts';
import type { Reply } from '../../../test/support/http-client.ts';
import { type MemoryGateway, startMemoryGateway } from '../../../test/support/memory-gateway.ts';
import { MOST_BODY_BYTES } from './read-body.ts';

let gateway: MemoryGateway;
beforeAll(async () => {
  const db = await memoryDatabase();
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
  const isJson = answer.headers.get('content-type')?.includes('json') ?? false;
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
const SAMPLES = ['ins-00000000', 'zzzzzzzz', 'challenge', '1', 'dsk-00000000.ins-00000000'];

/** What a query must have, so that what is asked about is decided. */
const queryOf = (route: RouteFacts): string => {
  const path = { path: '/nothing', from: '/nothing', to: '/nowhere' };
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
      ['without a token', () => undefined],
      ['with a token that is over', () => gateway.tokens.expired],
    ])('%s', async (_title, token) => {
      const { status, body } = await ask(route, { token: token() });
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
  const lacking = ORG_ROLES.find(
    (role) => typeof access === 'object' && ('platform' in access || !mayRole(role, access.right)),
  );
  if (!lacking) return;
  test(`403: as ${lacking}`, async () => {
    const { status, body } = await ask(route, { token: gateway.tokens[lacking] });
    expect([status, body.error]).toEqual([403, 'permission_missing']);
  });
});

// A login's provider adds what it likes to the way back.
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
    test('what is no JSON', async () => {
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

// What stands behind the last parameter of a path, and an id of it in another organisation.
const foreignParams = ({ path }: RouteFacts): Record<string, string> | undefined => {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '');
  if (names.length === 0) return undefined;
  const { foreign } = gateway;
  if (names[0] === 'org_id')
    return { org_id: foreign.organization ?? '', account_id: foreign.account ?? '', id: 'inv-00000000' };
  const word = /\/([\w-]+)\/\{/.exec(path.replace('/elnode/v1/instance', '/elnode/v1/host'))?.[1] ?? '';
  const id = foreign[word];
  return id === undefined ? undefined : { id };
};

const named = routes.filter(
  ({ method, path, access }) => access !== 'public' && path.includes('{') && method !== 'PATCH',
);
describe.each(titled(named))('%s', (_, route) => {
  test("404: another organisation's is answered as what does not exist", async () => {
    const params = foreignParams(route);
    if (!params) return;
    const say = (given: Readonly<Record<string, string>>) =>
      ask(route, {
        token: root(),
        params: given,
        query: queryOf(route),
        ...(route.body && { headers: JSON_TYPE, body: BODIES[route.id] ?? '{}' }),
      });
    const absent = Object.fromEntries(
      Object.keys(params).map((name) => [name, ABSENT[params[name]?.length ?? 0] ?? '']),
    );
    const [theirs, nobodys] = [await say(params), await say(absent)];
    const plain = ({ status, body }: Reply, ids: Readonly<Record<string, string>>) =>
      Object.values(ids).reduce(
        (text, id) => text.replaceAll(id, '<id>'),
        JSON.stringify({ status, ...body, request_id: '' }),
      );
    expect(plain(theirs, params)).toBe(plain(nobodys, absent));
    if (!route.body || BODIES[route.id] !== undefined) expect(theirs.status).toBe(404);
  });
});

/** Of the same length as a foreign id, so that no rule tells them apart. */
const ABSENT: Readonly<Record<number, string>> = { 8: 'qqqqqqqq', 12: 'qqq-qqqqqqqq' };

/** Bodies that are right, so that what is named decides. */
const BODIES: Readonly<Record<string, string>> = {
  actInstance: '{"action":"start"}',
  updateInstance: '{"displayName":"other"}',
  updateHost: '{"displayName":"other"}',
  updateDisk: '{"displayName":"other"}',
  editOrganization: '{"org_name":"other"}',
  transferOrganization: '{"account_id":"acc-owner"}',
  addMembers: '{"members":[{"account":"owner","role":"viewer"}]}',
  editMember: '{"role":"viewer"}',
};

test('what the frame answers by itself stands in the document of every route', () => {
  for (const route of routes) {
    const statuses = problemsOfEveryRoute(route).map(statusOf);
    expect(statuses).toEqual(expect.arrayContaining([400, 429, 500, 503]));
    if (isSignedIn(route)) expect(statuses).toEqual(expect.arrayContaining([401, 409]));
  }
});
