// The portal's addresses, over HTTP and with a build of four lines: languages, caches, refusals, and what pages may load.
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LIBRARY_ROUTES } from '@gantry/contract/areas/portal/library.ts';
import { PORTAL_ROUTES } from '@gantry/contract/areas/portal/portal.ts';
import { STATUS_ROUTES } from '@gantry/contract/areas/portal/status.ts';
import { PLATFORM_ROUTES } from '@gantry/contract/areas/settings/platform.ts';
import { problem } from '@gantry/contract/http/problem.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import pino from 'pino';
import { type Config, readConfig } from '../../../platform/config.ts';
import { type Served, serve } from '../../../platform/http/serve.ts';
import { openPages } from '../open-pages.ts';

/** Says what it was given, with an inline script. */
const BUNDLE = `
let count = 0;
export const render = (input) => ({
  html: '<!doctype html><script>1</script>' + ++count + ' ' + JSON.stringify(input),
  markdown: '# ' + input.name + ' ' + JSON.stringify(input.data),
  inlineScripts: ['1'],
  inlineStyles: ['a{}'],
});`;

const UNREAD = { related: [], helpful: { yes: 0, no: 0 } };
const articles = new Map([
  ['ssh', { slug: 'ssh', title: 'SSH & keys', content: 'one', published_at: '2026-11-22T10:00:00.000Z', ...UNREAD }],
]);
const model = (id: string) => ({
  ...{
    id,
    name: id,
    name_ranges: [],
    summary: '',
    task: null,
    size_class: null,
    license: null,
    language: [],
    tags: [],
  },
  ...{ structure: null, format: null, quantisation: null, parameters: null, context_length: null, size_bytes: 0 },
  ...{ downloads: 0, version: null, update_time: '2026-11-22T10:00:00.000Z' },
});
const NONE = { step: 'none', count: 0 } as const;
const OVERVIEW = {
  ...{
    stock: 'exact' as const,
    currency: 'USD',
    gpu_models: 0,
    free: NONE,
    total: NONE,
    least_hour: null,
    regions: [],
  },
  ...{ models: 0, datasets: 0, articles: 1, welcome_credits: '0', plans: [] },
  announcements: [
    {
      id: 'ann-1',
      title: 'Maintenance <soon>',
      content: '',
      starts_at: '2026-11-25T10:00:00.000Z',
      ends_at: '2026-12-25T10:00:00.000Z',
    },
  ],
};
/** What the list of models was asked. */
const asked: unknown[] = [];
const views: string[] = [];
let isDown = false;
const served: Served[] = [
  serve(PORTAL_ROUTES.listArticles, () =>
    [...articles.values()].map(({ slug, title, published_at }) => ({ slug, title, published_at, found: null })),
  ),
  serve(PORTAL_ROUTES.readArticle, ({ params }) => {
    if (isDown) throw new Error('the database is away');
    const found = articles.get(params.slug);
    if (!found) throw problem('not_found', { what: params.slug });
    return found;
  }),
  serve(PORTAL_ROUTES.readAbout, () => {
    throw problem('not_found', { what: 'about' });
  }),
  serve(LIBRARY_ROUTES.listPortalModels, ({ query }) => {
    asked.push(query);
    if (query.cursor === 'bad') throw problem('cursor_rule');
    const [items, cursor] = query.cursor === 'second' ? [[model('mdl-2')], undefined] : [[model('mdl-1')], 'second'];
    return { items, total: 2, extra: { cursor, facets: {} } };
  }),
  serve(LIBRARY_ROUTES.readPortalModel, ({ params }) => {
    throw problem('not_found', { what: params.id });
  }),
  serve(PORTAL_ROUTES.readOverview, () => OVERVIEW),
  serve(STATUS_ROUTES.readStatus, () => ({
    components: [],
    incidents: [
      {
        ...{ id: 'inc-1', title: 'Slow <mails>', state: 'resolved' as const, components: ['mail' as const] },
        ...{ started_at: '2026-11-25T10:00:00.000Z', resolved_at: '2026-11-25T11:00:00.000Z' },
        updates: [
          { at: '2026-11-25T10:00:00.000Z', state: 'investigating' as const, text: 'We look.' },
          { at: '2026-11-25T11:00:00.000Z', state: 'resolved' as const, text: 'Fixed & done.' },
        ],
      },
    ],
  })),
  serve(PLATFORM_ROUTES.getSettings, () => {
    throw new Error('no settings here');
  }),
];

let now = 0;
let installed: Config;
let folder: string;
let server: Server;
let url: string;

/** A picture of one grey point. */
const LOGO = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg==';

function configOf(...flags: string[]): Config {
  const config = readConfig(['--data-dir=x', '--platform-key-file=package.json', ...flags], {});
  if (config === 'help') throw new Error('help was asked for');
  return config;
}

beforeAll(async () => {
  installed = configOf();
  folder = await mkdtemp(join(tmpdir(), 'gantry-portal-'));
  await mkdir(join(folder, 'server'));
  await mkdir(join(folder, 'client/assets'), { recursive: true });
  await mkdir(join(folder, 'client/.vite'));
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  await writeFile(join(folder, 'server/server.js'), BUNDLE);
  await writeFile(join(folder, 'client/assets/client-a1.js'), 'export {}');
  await writeFile(join(folder, 'client/.vite/manifest.json'), '{}');
  const pages = openPages({
    config: { portalDir: folder, portalUrl: 'https://www.example.org', publicUrl: 'https://console.example.org/' },
    now: () => installed,
    portal: {
      views: { count: (page, language) => void views.push(`${language} ${page}`) },
      isGone: async ({ params }) => params.id === 'mdl-gone' || params.slug === 'gone',
      previews: {
        read: async (ticket) =>
          ticket === 'right.1' ? { name: 'about', params: {}, data: { draft: true } } : undefined,
      },
    },
    clock: { now: () => now } as never,
    log: pino({ level: 'silent' }),
    routes: served,
  });
  server = createServer((req, res) => {
    if (!pages(req, res)) res.writeHead(418).end();
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await new Promise((resolve) => server.close(resolve));
  await rm(folder, { recursive: true });
});

const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(`${url}${path}`, { method, redirect: 'manual', headers: { 'accept-encoding': 'identity', ...headers } });
const inputOf = async (path: string) => {
  const text = await (await get(path)).text();
  return JSON.parse(text.slice(text.indexOf('{', text.indexOf('</script>'))));
};

describe('languages', () => {
  test.each([
    ['/', {}, '/en/home'],
    ['/home', { 'accept-language': 'ja,en;q=0.5' }, '/ja/home'],
    ['/', { 'accept-language': 'ja', cookie: 'a=b; gantry_language=zh' }, '/zh/home'],
    ['/', { cookie: 'gantry_language=xx' }, '/en/home'],
    ['/helpCenter/ssh?q=1', { 'accept-language': 'zh-TW' }, '/zh/helpCenter/ssh?q=1'],
    ['/ja', {}, '/ja/home'],
    ['/ja/home/', {}, '/ja/home'],
    ['/about.md', {}, '/en/about.md'],
  ] as const)('%s with %j leads to %s', async (path, headers, location) => {
    const answer = await get(path, headers);
    expect([answer.status, answer.headers.get('location'), answer.headers.get('vary')]).toEqual([
      302,
      location,
      'Accept-Language, Cookie',
    ]);
  });

  test('a page is read and rendered in the language of its address', async () => {
    expect(await inputOf('/ja/helpCenter/ssh')).toEqual({
      name: 'article',
      language: 'ja',
      params: { slug: 'ssh' },
      query: {},
      data: { readArticle: articles.get('ssh') },
      site: { portal: 'https://www.example.org', console: 'https://console.example.org' },
      brand: expect.objectContaining({ name: 'Gantry', logo: '/favicon.svg' }),
    });
  });
});

describe('data', () => {
  test('a call beside the page that fails is null', async () => {
    expect((await inputOf('/en/about')).data).toEqual({ readAbout: null, getSettings: null });
  });

  test.each([
    '/en/helpCenter/none',
    '/zh/helpCenter/NO%20SLUG',
    '/en/model/mdl-theirs',
    '/en/nothing',
    '/en/%ff',
    '/favicon.ico',
  ])('%s is not found', async (path) => {
    const answer = await get(path);
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([404, 'no-store']);
    expect(await answer.text()).toContain('"name":"notFound"');
  });

  test.each(['/en/helpCenter/gone', '/ja/model/mdl-gone'])('%s was taken off', async (path) => {
    const answer = await get(path);
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([410, 'no-store']);
    expect(await answer.text()).toContain('"name":"gone"');
  });

  test('an article that is published again is there again, and one that is taken off is gone within five seconds', async () => {
    articles.set('gone', { ...articles.get('ssh'), slug: 'gone' } as never);
    now += 4_500;
    expect((await get('/en/helpCenter/gone')).status).toBe(200);
    articles.delete('gone');
    now += 4_500;
    expect((await get('/en/helpCenter/gone')).status).toBe(410);
  });

  test('a changed article is live within five seconds, and rendered only when it has changed', async () => {
    const before = await (await get('/zh/helpCenter/ssh')).text();
    now += 4_500;
    expect(await (await get('/zh/helpCenter/ssh')).text()).toBe(before);
    articles.set('ssh', { ...articles.get('ssh'), title: 'SSH anew' } as never);
    now += 4_500;
    expect(await (await get('/zh/helpCenter/ssh')).text()).toContain('SSH anew');
  });

  test('a page stays as it was while its data cannot be read', async () => {
    const before = await (await get('/en/helpCenter/ssh')).text();
    isDown = true;
    now += 60_000;
    const [kept, fresh] = [await get('/en/helpCenter/ssh'), await get('/en/helpCenter/other')];
    isDown = false;
    expect([kept.status, await kept.text()]).toEqual([200, before]);
    expect([fresh.status, fresh.headers.get('retry-after')]).toEqual([503, '5']);
  });
});

describe('a search', () => {
  test('is a part of the address that its call is asked by; other names are none', async () => {
    asked.length = 0;
    const input = await inputOf('/en/modelLibrary?x=1&task=Generate&search=%20qwen%20&size=1000');
    expect(input.query).toEqual({ search: 'qwen', task: 'Generate' });
    expect(asked).toEqual([expect.objectContaining({ search: 'qwen', task: 'Generate', size: 24 })]);
    expect(input.data.listPortalModels.items.map(({ id }: { id: string }) => id)).toEqual(['mdl-1']);
  });

  test('in another order is the same page, and is not the page without it', async () => {
    const first = await (await get('/en/modelLibrary?license=mit&task=Embed')).text();
    expect(await (await get('/en/modelLibrary?task=Embed&license=mit&utm=1')).text()).toBe(first);
    expect((await inputOf('/en/modelLibrary')).query).toEqual({});
  });

  test.each(['cursor=bad', 'order_by=none', `search=${'a'.repeat(200)}`])('by %s finds nothing', async (query) => {
    expect((await inputOf(`/en/modelLibrary?${query}`)).data).toEqual({ listPortalModels: null });
  });
});

describe('an answer', () => {
  test('is sent again only when it has changed', async () => {
    const etag = (await get('/en/home')).headers.get('etag') ?? '';
    const again = await get('/en/home', { 'if-none-match': etag });
    expect([again.status, again.headers.get('content-security-policy')]).toEqual([
      304,
      (await get('/en/home')).headers.get('content-security-policy'),
    ]);
  });

  test('is compressed for those who take it', async () => {
    const answer = await get('/en/home', { 'accept-encoding': 'gzip, br' });
    expect([answer.headers.get('content-encoding'), answer.headers.get('vary')]).toEqual(['br', 'Accept-Encoding']);
    expect(await answer.text()).toContain('"name":"home"');
    expect((await get('/en/home', { 'accept-encoding': 'br;q=0' })).headers.get('content-encoding')).toBeNull();
  });

  test('to HEAD has the headers alone', async () => {
    const answer = await get('/en/home', {}, 'HEAD');
    expect([answer.status, answer.headers.get('etag'), await answer.text()]).toEqual([
      200,
      (await get('/en/home')).headers.get('etag'),
      '',
    ]);
    expect(Number(answer.headers.get('content-length'))).toBeGreaterThan(0);
  });

  test('may load its own files and the inline texts that it was rendered with', async () => {
    const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
    const policy = (await get('/en/home')).headers.get('content-security-policy') ?? '';
    expect(policy).toContain(`script-src 'self' ${hash('1')};`);
    expect(policy).toContain(`style-src 'self' ${hash('a{}')} ${hash('')};`);
    expect(policy).toContain("default-src 'none'");
  });

  test('exists as Markdown', async () => {
    const answer = await get('/en/helpCenter/ssh.md');
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/markdown; charset=utf-8']);
    expect(await answer.text()).toMatch(/^# article /);
  });

  test('to a write is a refusal', async () => {
    const answer = await get('/en/home', {}, 'POST');
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });

  test.each(['/api/settings', '/healthz', '/readyz', '/version.json'])('%s is left to the gateway', async (path) => {
    expect((await get(path, {}, path === '/api/settings' ? 'POST' : 'GET')).status).toBe(418);
  });
});

test('a view is a page that a browser asked for, once for each time, without its query', async () => {
  await get('/en/home');
  views.length = 0;
  const etag = (await get('/ja/helpCenter/ssh')).headers.get('etag') ?? '';
  await get('/ja/helpCenter/ssh', { 'if-none-match': etag });
  await get('/en/modelLibrary?search=a');
  await get('/en/home', {}, 'HEAD');
  for (const path of ['/en/home.md', '/en/nothing', '/en/helpCenter/none', '/en/feed.xml', '/']) await get(path);
  expect(views).toEqual(['ja /helpCenter/ssh', 'ja /helpCenter/ssh', 'en /modelLibrary']);
});

test('a draft is shown to whoever has its ticket, is kept nowhere, and to others is not there', async () => {
  const answer = await get('/zh/preview/right.1');
  expect(['cache-control', 'x-robots-tag'].map((name) => answer.headers.get(name))).toEqual([
    'private, no-store',
    'noindex',
  ]);
  expect(await answer.text()).toContain('"data":{"draft":true}');
  expect((await get('/zh/preview/wrong.1')).status).toBe(404);
  expect((await get('/xx/preview/right.1')).status).toBe(404);
});

describe('how the installation presents itself', () => {
  test('counts on the next request, on pages, faults and lists, and goes back', async () => {
    const before = await inputOf('/en/about');
    const fault = await (await get('/en/nothing')).text();
    installed = configOf(
      '--portal-name=Cloud <i>&',
      '--portal-accent=#aa0000',
      '--legal-number=京ICP备1号',
      '--market=domestic',
    );
    expect((await inputOf('/en/about')).brand).toMatchObject({
      ...{ name: 'Cloud <i>&', accent: '#aa0000', legalNumber: '京ICP备1号', market: 'domestic' },
    });
    expect(await (await get('/en/nothing')).text()).not.toBe(fault);
    expect(await (await get('/en/feed.xml')).text()).toContain('<title>Cloud &lt;i&gt;&amp;</title>');
    expect(await (await get('/llms.txt')).text()).toMatch(/^# Cloud /);
    installed = configOf();
    expect(await inputOf('/en/about')).toEqual(before);
  });

  test('has a logo at an address of its own, until another one counts', async () => {
    installed = configOf(`--portal-logo=data:image/png;base64,${LOGO}`);
    const { logo } = (await inputOf('/en/about')).brand;
    const picture = await get(logo);
    expect(
      ['content-type', 'x-content-type-options', 'content-security-policy'].map((name) => picture.headers.get(name)),
    ).toEqual([...['image/png', 'nosniff', "default-src 'none'; frame-ancestors 'none'"]]);
    expect(Buffer.from(await picture.arrayBuffer()).toString('base64')).toBe(LOGO);
    installed = configOf();
    expect((await get(logo)).status).toBe(404);
  });
});

test('a file of the build never changes, and its list of files is nobody’s', async () => {
  const file = await get('/assets/client-a1.js');
  expect([file.status, file.headers.get('cache-control')]).toEqual([200, 'public, max-age=31536000, immutable']);
  expect((await get('/.vite/manifest.json')).status).toBe(404);
});

test.each([
  ['/robots.txt', 'text/plain; charset=utf-8', 'Sitemap: https://www.example.org/sitemap.xml'],
  ['/sitemap.xml', 'application/xml; charset=utf-8', '<loc>https://www.example.org/zh/helpCenter/ssh</loc>'],
  ['/sitemap.xml', 'application/xml; charset=utf-8', '<loc>https://www.example.org/ja/model/mdl-2</loc>'],
  ['/llms.txt', 'text/plain; charset=utf-8', '](https://www.example.org/en/helpCenter/ssh.md)'],
  ['/ja/feed.xml', 'application/rss+xml; charset=utf-8', '<title>SSH '],
])('%s names the pages', async (path, type, text) => {
  const answer = await get(path);
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, type]);
  expect(await answer.text()).toContain(text);
});

test('the feed has announcements and articles, the newest first, and nothing else', async () => {
  const text = await (await get('/zh/feed.xml')).text();
  expect(
    [...text.matchAll(/<item><title>([^<]*)<.title><link>([^<]*)</g)].map(([, title, link]) => [title, link]),
  ).toEqual([
    ['Maintenance &lt;soon&gt;', 'https://www.example.org/zh/home#announcement-ann-1'],
    [expect.stringContaining('SSH'), 'https://www.example.org/zh/helpCenter/ssh'],
  ]);
});

test('the feed of incidents has each update, the newest first', async () => {
  const text = await (await get('/ja/status.xml')).text();
  const items = [...text.matchAll(/<item><title>([^<]*)<.title><description>([^<]*)<.description><link>([^<]*)</g)];
  expect(items.map(([, ...parts]) => parts)).toEqual([
    ['Slow &lt;mails&gt;', 'Fixed &amp; done.', 'https://www.example.org/ja/status#incident-inc-1-2'],
    ['Slow &lt;mails&gt;', 'We look.', 'https://www.example.org/ja/status#incident-inc-1-1'],
  ]);
  expect(text).toContain('<atom:link href="https://www.example.org/ja/status.xml" rel="self"');
});
