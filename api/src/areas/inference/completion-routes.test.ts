// /v1 in the whole gateway, and what surrounds it: tokens with limits, aliases, and tokens used.

import { KEY_ROUTES } from '@gantry/contract/areas/identity/keys.ts';
import { CHAT_ROUTES as CHATS } from '@gantry/contract/areas/inference/chats.ts';
import {
  MOST_USAGE_ROWS,
  COMPLETION_ROUTES as R,
  type UsageGroup,
} from '@gantry/contract/areas/inference/completions.ts';
import { COLLECTED_ROUTES as COLLECTED } from '@gantry/contract/areas/models/collected.ts';
import { micros } from '@gantry/contract/fields/money.ts';
import { modelDeployment } from '@gantry/contract/kinds/model-deployment.ts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { migratedDatabase, resetDatabase } from '../../../../test/support/database.ts';
import { type MemoryGateway, startMemoryGateway } from '../../../../test/support/memory-gateway.ts';
import { sound } from '../../../../test/support/sound/model-deployment.ts';
import { kindObject } from '../../core/kinds/testing/memory-kinds.ts';
import type { Database } from '../../platform/db/open.ts';
import { collectedFiles } from '../../platform/db/schema/collected.ts';
import { tokenTotals, tokenUsage } from '../../platform/db/schema/tokens.ts';

const DAY = '2026-11-20';

let gateway: MemoryGateway;
let db: Database;
beforeAll(async () => {
  db = await migratedDatabase();
  await resetDatabase(db);
  const deployment = (namespace: string, name: string) =>
    kindObject(modelDeployment, name, {
      spec: sound.spec as object,
      status: { phase: 'failed' },
      metadata: { namespace, uid: `uid-${namespace}-${name}` },
    });
  gateway = await startMemoryGateway({
    db,
    objects: [
      deployment('org-acmeorgs', 'tiny'),
      deployment('org-acmeorgs', 'large'),
      deployment('org-otherorg', 'secret'),
    ],
  });
});
afterAll(() => gateway?.stop());

const as = (role: 'owner' | 'member' | 'viewer') => gateway.client(gateway.tokens[role]);
const ask = (path: string, token: string | undefined, body?: object) =>
  fetch(`${gateway.url}${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { 'content-type': 'application/json', ...(token !== undefined && { authorization: `Bearer ${token}` }) },
    ...(body && { body: JSON.stringify(body) }),
  });
const namesOf = async (token: string) =>
  ((await (await ask('/v1/models', token)).json()) as { data: { id: string }[] }).data.map(({ id }) => id);

test('a token is made with limits, shown with them, and kept to them', async () => {
  const limits = { models: ['acmeorgs/tiny'], tokens_per_day: 1000, money_per_month: '12.50' };
  const made = await as('member').must(KEY_ROUTES.createApiToken, {
    body: { remark: 'bot', scopes: ['view', 'use'], expiration_time: null, limits },
  });
  expect(made.limits).toEqual({
    ...limits,
    requests_per_minute: null,
    tokens_per_minute: null,
    tokens_per_month: null,
    money_per_day: null,
  });
  const [shown] = await as('member').must(KEY_ROUTES.listApiTokens);
  expect(shown?.limits).toEqual(made.limits);
  expect(await namesOf(made.token)).toEqual(['acmeorgs/tiny']);
  const refused = await ask('/v1/chat/completions', made.token, { model: 'large', messages: [] });
  expect([refused.status, await refused.json()]).toMatchObject([404, { error: { code: 'model_not_found' } }]);
});

test.each([
  [{ requests_per_minute: 0 }, 'limits.requests_per_minute'],
  [{ money_per_day: '-1' }, 'limits.money_per_day'],
  [{ models: [] }, 'limits.models'],
  [{ models: ['tiny'] }, 'limits.models.0'],
  [{ of_another_kind: 1 }, 'limits.of_another_kind'],
])('limits of %j are refused', async (limits, field) => {
  const { status, body } = await as('member').call(KEY_ROUTES.createApiToken, {
    body: { remark: 'bot', scopes: ['use'], expiration_time: null, limits: limits as never },
  });
  expect([status, body.field]).toEqual([400, field]);
});

test('/v1 knows who asks, and what is theirs', async () => {
  expect((await ask('/v1/models', undefined)).status).toBe(401);
  expect((await ask('/v1/models', gateway.tokens.viewer)).status).toBe(403);
  expect(await namesOf(gateway.tokens.member)).toEqual(expect.arrayContaining(['acmeorgs/large', 'acmeorgs/tiny']));
  const of = async (model: string) => {
    const answer = await ask('/v1/chat/completions', gateway.tokens.member, { model, messages: [] });
    return `${answer.status} ${(await answer.text()).replaceAll(model, 'NAME')}`;
  };
  expect(await of('otherorg/secret')).toBe(await of('otherorg/absent'));
  expect(await of('tiny')).toContain('"model_failing"');
});

test('a name is given to several deployments, changed and forgotten', async () => {
  const body = {
    name: 'best',
    targets: [
      { deployment: 'large', weight: 9 },
      { deployment: 'tiny', weight: 1 },
    ],
  };
  const made = await as('member').must(R.createModelAlias, { body });
  expect(await namesOf(gateway.tokens.member)).toContain('acmeorgs/best');
  expect(await namesOf('token-of-stranger')).not.toContain('acmeorgs/best');
  const again = await as('member').call(R.createModelAlias, { body });
  expect([again.status, again.body.error]).toEqual([409, 'model_alias_exists']);
  const params = { id: made.id };
  const changed = { name: 'good', targets: [{ deployment: 'gone', weight: 1 }] };
  expect(await as('member').must(R.editModelAlias, { params, body: changed })).toMatchObject(changed);
  // It leads nowhere.
  expect(await namesOf(gateway.tokens.member)).not.toContain('acmeorgs/good');
  expect((await as('viewer').call(R.deleteModelAlias, { params })).status).toBe(403);
  await as('member').must(R.deleteModelAlias, { params });
  expect((await as('viewer').must(R.listModelAliases)).aliases).toEqual([]);
});

test('tokens used are shown to whom they are of, and all to whoever manages', async () => {
  const row = {
    day: DAY,
    organizationId: 'acmeorgs',
    modelUid: 'uid-1',
    model: 'tiny',
    tokenId: '',
    requests: 2,
    prompt: 100,
    cached: 40,
  };
  await db.sql.insert(tokenTotals).values([
    { ...row, accountId: 'acc-member', completion: 10, doubtful: 1, list: micros(2_000_000), net: micros(1_500_000) },
    { ...row, accountId: 'acc-owner', tokenId: 'tok-1', completion: 5, doubtful: 0, list: micros(0), net: micros(0) },
    { ...row, accountId: 'acc-member', day: '2026-01-01', completion: 7, doubtful: 0, list: micros(0), net: micros(0) },
    {
      ...row,
      organizationId: 'otherorg',
      accountId: 'acc-stranger',
      completion: 7,
      doubtful: 0,
      list: micros(0),
      net: micros(0),
    },
  ]);
  const query = { from: '2025-01-01', to: DAY };
  const own = await as('member').must(R.getTokenUsage, { query });
  expect(own.rows).toEqual([
    {
      ...{ day: DAY, model: 'tiny', account_id: 'acc-member', token_id: null, requests: 2, prompt_tokens: 100 },
      ...{ cached_tokens: 40, completion_tokens: 10, estimated_requests: 1, amount: '1.50' },
    },
  ]);
  expect([own.from, own.to]).toEqual(['2026-08-20', DAY]);
  const all = await as('owner').must(R.getTokenUsage, { query });
  expect(all.rows.map(({ account_id, token_id }) => [account_id, token_id])).toEqual([
    ['acc-member', null],
    ['acc-owner', 'tok-1'],
  ]);
  expect(all.total).toMatchObject({ requests: 4, completion_tokens: 15, amount: '1.50' });
  expect(all.sums).toMatchObject([{ key: 'tiny', requests: 4, prompt_tokens: 200, cached_tokens: 80, amount: '1.50' }]);
  const keysBy = async (by: UsageGroup) =>
    (await as('owner').must(R.getTokenUsage, { query: { ...query, by } })).sums.map(({ key }) => key);
  expect(await keysBy('token')).toEqual(['', 'tok-1']);
  expect(await keysBy('person')).toEqual(['acc-member', 'acc-owner']);
  expect(await keysBy('day')).toEqual([DAY]);
  expect(all.complete).toBe(true);

  // However many rows there are, sums and total hold all of them.
  const many = Array.from({ length: MOST_USAGE_ROWS }, (_, at) => ({
    ...{ ...row, accountId: 'acc-owner', modelUid: `uid-many-${at}`, model: 'many', requests: 1 },
    ...{ completion: 1, doubtful: 0, list: micros(0), net: micros(1) },
  }));
  for (let at = 0; at < many.length; at += 1000) await db.sql.insert(tokenTotals).values(many.slice(at, at + 1000));
  const busy = await as('owner').must(R.getTokenUsage, { query });
  expect([busy.rows.length, busy.complete]).toEqual([MOST_USAGE_ROWS, false]);
  expect(busy.total).toMatchObject({ requests: MOST_USAGE_ROWS + 4, amount: '1.5025' });
  expect(busy.sums).toMatchObject([
    { key: 'many', requests: MOST_USAGE_ROWS },
    { key: 'tiny', requests: 4 },
  ]);
});

test('the traffic of a deployment has its speed, of the last hour, and that of another tenant does not exist', async () => {
  const of = (id: string) => as('viewer').call(R.getDeploymentTraffic, { params: { id } });
  expect((await of('large')).body.result).toMatchObject({ tokens: null, hour: { requests: 0 }, steps: [] });
  const now = Date.now();
  const row = (id: string, secondsAgo: number, firstMs: number | null, uid = 'uid-org-acmeorgs-tiny') => ({
    ...{ id, organizationId: 'acmeorgs', accountId: 'acc-member', modelUid: uid, model: 'tiny', endpoint: 'chat' },
    ...{ at: new Date(now - secondsAgo * 1000), prompt: 100, cached: 25, completion: 30, outcome: 'answered' as const },
    ...{ status: 200, ms: 1000, firstMs, list: micros(0), net: micros(0) },
  });
  await db.sql
    .insert(tokenUsage)
    .values([
      row('speed-1', 5, 100),
      row('speed-2', 30, 200),
      row('speed-3', 600, 300),
      row('speed-4', 700, null),
      row('speed-5', 7200, 9000),
      row('speed-6', 5, 9000, 'uid-org-acmeorgs-large-before'),
    ]);
  expect((await of('tiny')).body.result).toMatchObject({
    tokens: { prompt: 400, cached: 100, completion: 120, per_second: 1, first_p50_ms: 200, first_p95_ms: 290 },
  });
  const [foreign, absent] = await Promise.all([of('secret'), of('absent')]);
  expect([foreign.status, absent.status]).toEqual([404, 404]);
});

test('a conversation is its owner’s alone, whoever manages', async () => {
  const body = { title: 'The sea', model: 'acmeorgs/tiny', messages: [{ role: 'user' as const, content: 'Hello' }] };
  const made = await as('member').must(CHATS.createChat, { body });
  const params = { id: made.id };
  expect((await as('owner').call(CHATS.getChat, { params })).status).toBe(404);
  expect((await as('owner').must(CHATS.listChats)).chats).toEqual([]);
  const more = [...body.messages, { role: 'assistant' as const, content: 'Hi', completion_tokens: 1, ms: 20 }];
  await as('member').must(CHATS.editChat, { params, body: { ...body, messages: more } });
  expect(await as('member').must(CHATS.getChat, { params })).toMatchObject({ system: '', messages: more });
  await as('owner').must(CHATS.deleteChats);
  expect((await as('member').must(CHATS.listChats)).chats).toMatchObject([{ id: made.id, title: 'The sea' }]);
  await as('member').must(CHATS.deleteChat, { params });
  expect((await as('member').must(CHATS.listChats)).chats).toEqual([]);
});

test('staff see what models have used, by month and organisation', async () => {
  const rows = async (filter: object, token: string | undefined) => {
    const query = new URLSearchParams({ filter: JSON.stringify(filter), sort: '["completion_tokens","DESC"]' });
    const answer = await fetch(`${gateway.url}/api/admin/token-usage?${query}`, {
      headers: { 'x-token': token ?? '' },
    });
    return { status: answer.status, body: (await answer.json()) as object[] };
  };
  const { body } = await rows({ month: DAY.slice(0, 7) }, gateway.tokens.administrator);
  // Requests of other tests have generated nothing.
  expect(body.slice(0, 2)).toMatchObject([
    { organization_id: 'acmeorgs', deployment: 'tiny', requests: 4, completion_tokens: 15, amount: '1.50' },
    { organization_id: 'otherorg', deployment: 'tiny', requests: 2, completion_tokens: 7, amount: '0.00' },
  ]);
  const [first] = body as { id: string; deployment_uid: string }[];
  expect(first?.id).toBe(`2026-11.acmeorgs.${first?.deployment_uid}`);
  expect((await rows({ id: first?.id }, gateway.tokens.administrator)).body).toHaveLength(1);
  expect((await rows({ q: 'nobody' }, gateway.tokens.administrator)).body).toEqual([]);
  expect((await rows({}, gateway.tokens.owner)).status).toBe(403);
});

test('what a deployment has collected is for those who manage, also after it is gone', async () => {
  const at = new Date();
  const file = {
    organizationId: 'acmeorgs',
    dataset: 'sea',
    records: 3,
    leftOut: 1,
    sizeBytes: 90,
    firstAt: at,
    lastAt: at,
  };
  await db.sql.insert(collectedFiles).values([
    { ...file, id: 'cdf-1', deployment: 'tiny', storedAt: at },
    { ...file, id: 'cdf-2', deployment: 'gone', storedAt: at },
    { ...file, id: 'cdf-3', deployment: 'large', storedAt: null },
  ]);
  const { sets } = await as('owner').must(COLLECTED.listCollected);
  const sums = { files: 1, records: 3, left_out: 1, size_bytes: 90, first_time: at.toISOString() };
  expect(sets.toSorted((a, b) => (a.deployment < b.deployment ? -1 : 1))).toMatchObject([
    { deployment: 'gone', exists: false, ...sums },
    { deployment: 'tiny', exists: true, ...sums },
  ]);
  const filesOf = async (id: string) => (await as('owner').call(COLLECTED.listCollectedFiles, { params: { id } })).body;
  expect(await filesOf('gone')).toMatchObject({ data: [{ id: 'cdf-2', dataset: 'sea', records: 3 }] });
  expect(await filesOf('large')).toMatchObject({ data: [], paginated: { total_num: 0 } });
  for (const call of [COLLECTED.listCollectedFiles, COLLECTED.downloadCollected, COLLECTED.deleteCollected]) {
    const own = await as('member').call(call as typeof COLLECTED.listCollectedFiles, { params: { id: 'tiny' } });
    const theirs = await as('owner').call(call as typeof COLLECTED.listCollectedFiles, {
      params: { id: 'dep-stranger' },
    });
    expect([call.id, own.status, theirs.status]).toEqual([call.id, 403, 404]);
  }
  // There is no store here.
  const { status, body } = await as('owner').call(COLLECTED.deleteCollected, { params: { id: 'tiny' } });
  expect([status, body]).toMatchObject([expect.any(Number), { error: 'model_store_off' }]);
  expect(await db.sql.$count(collectedFiles)).toBe(4);
});
