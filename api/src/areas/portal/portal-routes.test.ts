// The portal's calls as a visitor makes them, over a whole gateway: the market at the prices of the bill, the library, datasets, help and
// the numbers of the home page. Nothing of a tenant's is in any of them.
import { HOLD_ROUTES } from '@gantry/contract/areas/portal/holds.ts';
import { LIBRARY_ROUTES } from '@gantry/contract/areas/portal/library.ts';
import { MARKET_ROUTES } from '@gantry/contract/areas/portal/market.ts';
import { PORTAL_ROUTES } from '@gantry/contract/areas/portal/portal.ts';
import type { RouteFacts } from '@gantry/contract/http/define-route.ts';
import { gpuInstance } from '@gantry/contract/kinds/gpu-instance.ts';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { memoryDatabase } from '../../../../test/support/database.ts';
import { eventually } from '../../../../test/support/eventually.ts';
import { type MemoryGateway, startMemoryGateway } from '../../../../test/support/memory-gateway.ts';
import { kindObject } from '../../core/kinds/testing/memory-kinds.ts';
import type { Database } from '../../platform/db/open.ts';
import { articles, articleVersions } from '../../platform/db/schema/operation.ts';
import { cardHolds } from '../../platform/db/schema/portal.ts';
import { guideSlugs } from './guides.ts';
import { BIG, HIDDEN, plantShelves, portalNodes, SMALL, UNSPEAKABLE, WORD } from './testing/plant-shelves.ts';

jest.setTimeout(240_000);

/** The very size that the market states for one card. */
const SAME = 'ins-same';
let db: Database;
let gateway: MemoryGateway;

beforeAll(async () => {
  db = await memoryDatabase();
  gateway = await startMemoryGateway({
    db,
    // Each visitor has an address of their own.
    flags: ['--trusted-proxies=loopback'],
    objects: [
      ...portalNodes(),
      kindObject(gpuInstance, SAME, {
        namespace: 'org-acmeorgs',
        spec: { gpu: { model: BIG, count: 1 }, cores: 7, memoryGi: 57, homeDisk: { sizeGi: 20 } },
      }),
    ],
  });
  await plant();
}, 120_000);
afterAll(() => gateway?.stop());

const at = new Date('2026-11-01T00:00:00Z');

/** What everybody is shown, and beside it what nobody may hear of; without the articles that come with the product. */
async function plant(): Promise<void> {
  const seeded = guideSlugs().length;
  await eventually('the articles of the product are there', async () => (await db.sql.$count(articles)) === seeded);
  await db.sql.delete(articleVersions);
  await db.sql.delete(articles);
  await plantShelves(db);
  const text = (content: string) => ({ en: content, zh: content, ja: content });
  const staff = { changedAt: at, changedBy: 'acc-administrator' };
  const article = { kind: 'help', latest: 1, position: 0, ...staff } as const;
  await db.sql.insert(articles).values([
    { ...article, id: 'art-ssh', slug: 'ssh', title: text('SSH keys'), published: 1, publishedAt: at },
    { ...article, id: 'art-keys', slug: 'keys', title: text('Keys'), published: 1, publishedAt: at },
  ]);
  const words = { number: 1, reason: '', createdAt: at, createdBy: 'acc-administrator' };
  await db.sql.insert(articleVersions).values([
    {
      ...words,
      id: 'art-ssh.1',
      articleId: 'art-ssh',
      title: text('SSH keys'),
      content: text('Put your **public key** in. 登录实例。'),
    },
    {
      ...words,
      id: 'art-keys.1',
      articleId: 'art-keys',
      title: text('Keys'),
      content: text('A public key is not secret.'),
    },
  ]);
  // Prices and settings are looked at every other second.
  await eventually('the price and the hidden model to be known', async () => {
    const { body } = await get('/portal/v1/market');
    const { models: shown } = body.result;
    return shown.length === 2 && shown[1].price.hour.amount === '3.00';
  });
}

async function get(path: string, headers: Record<string, string> = {}) {
  const answer = await gateway.client().fetch(`/api${path}`, { headers });
  const text = await answer.text();
  // biome-ignore lint/suspicious/noExplicitAny: answers of many shapes
  const body = (text === '' ? undefined : JSON.parse(text)) as any;
  return { status: answer.status, headers: answer.headers, text, body };
}

const post = async (path: string, body: object) => {
  const answer = await gateway.client().fetch(`/api${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return answer.status;
};

describe('the market', () => {
  test('has each model that staff show, in their order, with what is free, its price and facts', async () => {
    const { body } = await get('/portal/v1/market', { 'accept-language': 'zh' });
    const [small, big] = body.result.models;
    expect(small).toMatchObject({
      id: SMALL,
      name: 'NVIDIA Tesla T4',
      vendor: 'NVIDIA',
      memory_gi: 15,
      note: '新上架',
    });
    expect(big).toMatchObject({
      ...{ id: BIG, memory_gi: 141, most_gpus: 8, shared: true, note: null },
      free: { step: 'some', count: 8 },
      total: { step: 'some', count: 8 },
      price: {
        hour: { per: 'hour', amount: '3.00', list: '4.00', discount_percent: 25, currency: 'USD' },
        month: { per: 'month', amount: '2190.00', list: '2920.00' },
      },
      // 3.00 / 989 and 3.00 / 141
      facts: { tflops: 989, memory_gb_per_second: 4800, source: 'NVIDIA H200 data sheet', hour_per_tflop: '0.003033' },
      hour_per_gi: '0.021277',
      availability: { since: expect.any(String), percent: 100 },
    });
    expect(big.regions).toMatchObject([
      {
        region: 'us-east',
        name: 'US East Washington',
        free: { count: 8 },
        starts: expect.arrayContaining([{ gpus: 8, free: { step: 'few', count: 1 } }]),
      },
    ]);
    expect(body.result).toMatchObject({
      ...{ stock: 'exact', currency: 'USD', away: [] },
      stopped: { keeps: ['home', 'system', 'ports', 'mounts'], home_gi_month: { per: 'month' }, frees_gpu: true },
    });
  });

  test('states for an instance of one card what such an instance is charged', async () => {
    const { body } = await get(`/portal/v1/market/${BIG}`);
    const { instance } = body.result.regions[0];
    expect(instance.size).toEqual({ gpus: 1, cores: 7, memory_gi: 57, disk_gi: 20 });
    const own = await gateway.client(gateway.tokens.owner).fetch(`/api/develop/v1/instance/${SAME}`);
    const { result } = (await own.json()) as { result: { price: object } };
    expect(instance.hour).toEqual(result.price);
  });

  test('knows no hidden model, and no other', async () => {
    expect((await get(`/portal/v1/market/${HIDDEN}`)).status).toBe(404);
    expect((await get('/portal/v1/market/NVIDIA-H100')).status).toBe(404);
  });

  test('is sent once to who has it', async () => {
    const { headers } = await get('/portal/v1/market');
    const again = await get('/portal/v1/market', { 'if-none-match': headers.get('etag') ?? '' });
    expect([again.status, again.text]).toEqual([304, '']);
  });

  test('tells stock in steps where staff set so, also to who asks for specifications without signing in', async () => {
    const staff = gateway.client(gateway.tokens.administrator);
    const set = await staff.fetch('/api/admin/settings/market-stock', {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ value: 'steps', reason: 'not to be counted' }),
    });
    expect(set.status).toBe(200);
    const { body } = await get('/portal/v1/market');
    expect(body.result).toMatchObject({
      stock: 'steps',
      models: [{ free: { step: 'some', count: null } }, { free: { step: 'some', count: null } }],
    });
    const specs = await get(`/elnode/v1/spec?gpu_type=${BIG}`);
    expect(specs.body.data).toMatchObject([{ free: 4, total: 4 }]);
    const signedIn = await gateway.client(gateway.tokens.owner).fetch(`/api/elnode/v1/spec?gpu_type=${BIG}`);
    expect(await signedIn.json()).toMatchObject({ data: [{ free: 8 }] });
    await staff.fetch('/api/admin/settings/market-stock', {
      method: 'DELETE',
      headers: { 'x-reason': 'over' },
    });
  });
});

describe('the model library', () => {
  const ids = async (query: string) => {
    const { body } = await get(`/portal/v1/models${query}`);
    return body.data.map(({ id }: { id: string }) => id);
  };

  test.each([
    ['', ['mdl-shown', 'mdl-zh']],
    ['?search=qwen3', ['mdl-shown']],
    ['?search=instrukt', ['mdl-shown']],
    [`?search=${encodeURIComponent('语义检索')}`, ['mdl-zh']],
    ['?task=Embed', ['mdl-zh']],
    ['?size_class=medium', ['mdl-shown']],
    ['?license=mit&language=en', []],
    ['?order_by=parameters&size=1', ['mdl-shown']],
    ['?order_by=parameters&size=1&cursor=mdl-shown', ['mdl-zh']],
  ])('lists by %s', async (query, expected) => expect(await ids(query)).toEqual(expected));

  test('says what it can be narrowed to, and what of a name was sought', async () => {
    const { body } = await get('/portal/v1/models?search=qwen3&size=5');
    expect(body.paginated).toMatchObject({
      size: 5,
      total_num: 1,
      extra: { facets: { task: [{ value: 'Generate', count: 1 }] } },
    });
    expect(body.data[0]).toMatchObject({
      ...{ name_ranges: [[0, 5]], summary: 'Qwen3 A multilingual chat model. 支持中文对话。', size_class: 'medium' },
      ...{ task: 'Generate', parameters: 8_000_000_000, context_length: 32_768, license: 'apache-2.0' },
    });
  });

  test('shows one with its card and facts, and none of a tenant', async () => {
    const { body } = await get('/portal/v1/models/mdl-shown');
    expect(body.result).toMatchObject({
      version: '1',
      weight_bytes: 16_000_000_000,
      kv_token_bytes: 147_456,
      files: [],
    });
    expect(body.result.card).toContain('**multilingual**');
    expect((await get('/portal/v1/models/mdl-theirs')).status).toBe(404);
  });
});

describe('datasets', () => {
  test('are listed, searched and narrowed', async () => {
    const { body } = await get('/portal/v1/datasets?search=gradde&type=qa');
    expect(body.data).toMatchObject([
      { id: 'dst-shown', type: 'qa', format: 'csv', rows: 2, version: 1, size_bytes: 12 },
    ]);
    expect((await get('/portal/v1/datasets?type=rag')).body.data).toEqual([]);
  });

  test('show one with its statistics and without where its owner had it from', async () => {
    const { body } = await get('/portal/v1/datasets/dst-shown');
    expect(body.result).toMatchObject({
      ...{ source: 'disk', digest: 'd'.repeat(64), file_count: 1, has_rows: true },
      statistics: { rows: 2, columns: [{ name: 'question', type: 'VARCHAR' }] },
    });
    expect((await get('/portal/v1/datasets/dst-theirs')).status).toBe(404);
    // There is no object store here.
    expect((await get('/portal/v1/datasets/dst-shown/rows')).body.error).toBe('model_store_off');
  });

  test('are described for machines', async () => {
    const { body } = await get('/portal/v1/datasets/dst-shown/croissant');
    expect(body).toMatchObject({
      '@type': 'sc:Dataset',
      conformsTo: 'http://mlcommons.org/croissant/1.0',
      ...{ name: 'Grade school maths', license: 'mit', version: '1.0.0' },
      distribution: [
        { '@type': 'cr:FileObject', '@id': 'train.csv', encodingFormat: 'text/csv', sha256: 'a'.repeat(64) },
      ],
      recordSet: [{ field: [{ '@id': 'rows/question', dataType: 'sc:Text' }] }],
    });
  });
});

describe('help', () => {
  test('is found with a typing error, the title before the text, and marked', async () => {
    const { body } = await get('/portal/v1/articles?q=publik');
    expect(body.data).toHaveLength(2);
    const [found] = (await get('/portal/v1/articles?q=SSH')).body.data;
    expect(found).toMatchObject({ slug: 'ssh', found: { title_ranges: [[0, 3]] } });
    const [chinese] = (await get(`/portal/v1/articles?q=${encodeURIComponent('登录')}`)).body.data;
    const { excerpt, excerpt_ranges } = chinese.found;
    expect(excerpt_ranges.map(([from, to]: [number, number]) => excerpt.slice(from, to))).toEqual(['登录']);
    expect(excerpt).toContain('Put your public key in.');
  });

  test('names related articles, and counts whom it helped', async () => {
    expect(await post('/portal/v1/articles/ssh/helpful', { helpful: true })).toBe(200);
    expect(await post('/portal/v1/articles/ssh/helpful', { helpful: false })).toBe(200);
    expect(await post('/portal/v1/articles/ssh/helpful', { helpful: true })).toBe(200);
    const { body } = await get('/portal/v1/articles/ssh');
    expect(body.result).toMatchObject({ helpful: { yes: 2, no: 1 }, related: [{ slug: 'keys' }] });
    expect(await post('/portal/v1/articles/draft/helpful', { helpful: true })).toBe(404);
  });

  test('takes ten votes a minute of an address', async () => {
    const statuses: number[] = [];
    for (let vote = 0; vote < 8; vote += 1)
      statuses.push(await post('/portal/v1/articles/keys/helpful', { helpful: true }));
    expect(statuses.at(-1)).toBe(429);
  });
});

test('the home page has the numbers of the market, the library and the plans', async () => {
  const { body } = await get('/portal/v1/overview');
  expect(body.result).toMatchObject({
    ...{ gpu_models: 2, free: { count: 12 }, total: { count: 12 }, models: 2, datasets: 1, articles: 2 },
    regions: [{ region: 'us-east', name: 'US East Washington', is_reached: true }],
    plans: [
      { plan: 'free', hosts: 2 },
      { plan: 'standard', hosts: 20 },
      { plan: 'enterprise', hosts: null },
    ],
    announcements: [],
  });
});

const PUBLIC: RouteFacts[] = Object.values<RouteFacts>({
  ...PORTAL_ROUTES,
  ...MARKET_ROUTES,
  ...LIBRARY_ROUTES,
  ...HOLD_ROUTES,
}).filter(({ method }) => method === 'GET');
const IDS = [
  'mdl-shown',
  'mdl-theirs',
  'dst-shown',
  'dst-theirs',
  BIG,
  HIDDEN,
  'ssh',
  'draft',
  'mdl-stranger',
  'dst-stranger',
  'hld-stranger',
];
const SOUGHT = ['', WORD, WORD.slice(0, 6), 'secret'];

test.each(PUBLIC.map((route) => [route.id, route] as const))('%s has no word of a tenant', async (_, route) => {
  const paths = route.path.includes('{') ? IDS.map((id) => route.path.replace(/\{\w+\}/, id)) : [route.path];
  const queries = route.query ? SOUGHT.flatMap((text) => [`?search=${text}`, `?q=${text}`]) : [''];
  for (const path of paths)
    for (const query of queries)
      for (const language of ['en', 'zh', 'ja']) {
        const { text } = await get(`${path}${query}`, { 'accept-language': language });
        // A problem repeats what was asked for.
        const said = text.replaceAll(/"(args|request_id|message)":("[^"]*"|\{[^}]*\})/g, '');
        expect(said).not.toMatch(UNSPEAKABLE);
      }
});

describe('a hold', () => {
  let visitors = 0;
  const ask = async (path: string, body: unknown, token?: string) => {
    visitors += 1;
    const answer = await gateway.client(token).fetch(`/api${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': `203.0.113.${visitors}` },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
    // biome-ignore lint/suspicious/noExplicitAny: answers of many shapes
    return { status: answer.status, ...((await answer.json()) as any) };
  };
  const hold = (body: unknown = { model: SMALL }) => ask('/portal/v1/market/hold', body);
  const claim = (id: string, token?: string) => ask(`/portal/v1/market/hold/${id}/claim`, undefined, token);
  const create = (token: string, more: object = {}) => {
    const size = { gpu: { model: SMALL, count: 1 }, cores: 1, memoryGi: 1 };
    const body = { displayName: 'held', image: 'library/busybox:1.36', ...size, ...more };
    return ask('/develop/v1/instance', body, token);
  };
  const STRANGER = 'token-of-stranger';

  test.each<[what: string, body: unknown, error: string]>([
    ['nothing', {}, 'invalid_field'],
    ['a list', [], 'invalid_field'],
    ['no JSON', '{"model"', 'malformed_json'],
    ['a name as long as a book', { model: 'x'.repeat(100_000) }, 'invalid_field'],
    ['a name with NUL', { model: 'a\u0000' }, 'bad_text'],
    ['a hidden model', { model: HIDDEN }, 'not_found'],
    ['another word', { model: '../../etc' }, 'not_found'],
    ['no GPU', { model: SMALL, gpus: 0 }, 'invalid_field'],
    ['half a GPU', { model: SMALL, gpus: 0.5 }, 'invalid_field'],
    ['a text of GPUs', { model: SMALL, gpus: '1' }, 'invalid_field'],
    ['every GPU there is', { model: SMALL, gpus: 1e15 }, 'invalid_field'],
    ['more than a node has', { model: SMALL, gpus: 8 }, 'cards_taken'],
    ['a region that is none', { model: SMALL, region: 'moon' }, 'region_closed'],
    ['an organisation', { model: SMALL, organization: 'otherorg' }, 'invalid_field'],
    ['an id of its own', { model: SMALL, id: 'hld-mine' }, 'invalid_field'],
    ["another's as one that it takes the place of, and no model", { instead: 'hld-stranger' }, 'invalid_field'],
  ])('is refused of %s', async (_, body, error) => expect(await hold(body)).toMatchObject({ error }));

  test('ends no hold that somebody else has claimed', async () => {
    const { result } = await hold({ model: SMALL, instead: 'hld-stranger' });
    const mine = await ask('/portal/v1/market/hold/hld-stranger/claim', undefined, STRANGER);
    expect(mine).toMatchObject({ status: 200, result: { is_claimed: true } });
    // The one hold of that organisation.
    expect(await claim(result.id, STRANGER)).toMatchObject({ result: { seconds: expect.any(Number) } });
    expect(await claim('hld-stranger', STRANGER)).toMatchObject({ status: 404 });
    await hold({ model: SMALL, instead: result.id });
  });

  test('is had by as many visitors at once as there are GPUs, and its price is the market’s', async () => {
    await db.sql.delete(cardHolds);
    const answers = await Promise.all(Array.from({ length: 24 }, () => hold()));
    const held = answers.filter(({ status }) => status === 201);
    expect(held).toHaveLength(4);
    expect(answers.filter(({ error, status }) => error === 'card_held' && status === 409)).toHaveLength(20);
    const { body } = await get(`/portal/v1/market/${SMALL}`);
    expect(held[0].result).toMatchObject({
      ...{ model: SMALL, gpus: 1, region: 'us-east', currency: 'USD', is_claimed: false },
      hour: body.result.price.hour?.amount ?? null,
      path: `/develop/instance/create?gpu=${SMALL}&count=1&hold=${held[0].result.id}`,
    });
    await eventually('the market to have none', async () => {
      const { free } = (await get(`/portal/v1/market/${SMALL}`)).body.result;
      return free.count === 0;
    });
    expect((await get(`/elnode/v1/spec?gpu_type=${SMALL}`)).body.data[0]).toMatchObject({ free: 0 });

    // Whoever has the id has it, and is told before they pay.
    const [{ result }] = held;
    expect((await get(`/portal/v1/market/hold/${result.id}`)).body.result).toMatchObject({ id: result.id });
    expect((await claim(result.id)).status).toBe(401);
    expect((await claim(result.id, gateway.tokens.viewer)).status).toBe(403);
    expect(await claim(result.id, gateway.tokens.owner)).toMatchObject({ result: { is_claimed: true } });
    expect((await claim(result.id, STRANGER)).status).toBe(404);
    expect((await get(`/portal/v1/market/hold/${result.id}`)).status).toBe(404);
    expect(await create(STRANGER)).toMatchObject({ status: 409, error: 'card_held' });
    expect(await create(STRANGER, { hold: result.id })).toMatchObject({ status: 409, error: 'hold_gone' });
    expect(await create(gateway.tokens.owner, { hold: result.id, gpu: undefined })).toMatchObject({
      status: 400,
      field: 'hold',
    });
    expect(await create(gateway.tokens.owner, { hold: result.id })).toMatchObject({ status: 201 });
  });
});
