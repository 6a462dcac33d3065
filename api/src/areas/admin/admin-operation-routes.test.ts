// The operators' menus "operation" and "portal": articles from draft to roll-back, mails that were not sent, settings and features that
// change at run time, GPU models of the market, and how the platform's parts are.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { desc, eq } from 'drizzle-orm';
import { memoryDatabase } from '../../../../test/support/database.ts';
import { type MemoryGateway, startMemoryGateway } from '../../../../test/support/memory-gateway.ts';
import type { Database } from '../../platform/db/open.ts';
import { auditLog } from '../../platform/db/schema/audit.ts';
import { mails } from '../../platform/db/schema/identity.ts';
import { gateways } from '../../platform/db/schema/operation.ts';
import { platformGrants } from '../../platform/db/schema/people.ts';
import { wasTakenOff } from '../../platform/db/taken-off.ts';
import { guideSlugs } from '../portal/guides.ts';
import { changeOf } from './admin-operation-routes.ts';

let db: Database;
let gateway: MemoryGateway;
beforeAll(async () => {
  db = await memoryDatabase();
  gateway = await startMemoryGateway({
    db,
    flags: ['--billing=on', '--docs=https://docs.example', '--bank-account=A bank'],
  });
  const createdAt = new Date();
  await db.sql.insert(platformGrants).values([
    { accountId: 'acc-viewer', role: 'support', createdAt },
    { accountId: 'acc-billing', role: 'catalogue', createdAt },
  ]);
}, 120_000);
afterAll(() => gateway.stop());

interface Asked {
  method?: string;
  body?: unknown;
  as?: keyof MemoryGateway['tokens'];
  headers?: Record<string, string>;
}
const SUPPORT = 'viewer';
const CATALOGUE = 'billing';

async function ask(path: string, { method = 'GET', body, as = 'administrator', headers = {} }: Asked = {}) {
  const answer = await gateway.client(gateway.tokens[as]).fetch(`/api/admin/${path}`, {
    method,
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  // biome-ignore lint/suspicious/noExplicitAny: rows of any resource
  return { status: answer.status, range: answer.headers.get('content-range'), body: (await answer.json()) as any };
}

const post = (path: string, body: object, as: Asked['as'] = 'administrator') => ask(path, { method: 'POST', body, as });
const put = (path: string, body: object, as: Asked['as'] = 'administrator') => ask(path, { method: 'PUT', body, as });
const list = (resource: string, filter: object, as: Asked['as'] = 'administrator') =>
  ask(`${resource}?${new URLSearchParams({ filter: JSON.stringify(filter) })}`, { as });

/** Without the console of the staff. */
async function tell(
  path: string,
  {
    as,
    language = 'en',
    etag,
    ...init
  }: RequestInit & {
    as?: keyof MemoryGateway['tokens'];
    language?: string;
    etag?: string;
  } = {},
) {
  const answer = await gateway.client(as && gateway.tokens[as]).fetch(`/api${path}`, {
    ...init,
    headers: {
      'accept-language': language,
      ...(etag !== undefined && { 'if-none-match': etag }),
      ...(init.body !== undefined && { 'content-type': 'application/json' }),
    },
  });
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, body: text === '' ? undefined : JSON.parse(text) };
}

const lastEntry = async () => {
  const [entry] = await db.sql.select().from(auditLog).orderBy(desc(auditLog.id)).limit(1);
  return entry;
};

/** Without the articles that come with the product. */
const listed = async (language: 'en' | 'zh') =>
  (await tell('/portal/v1/articles', { language })).body.data.filter(
    ({ slug }: { slug: string }) => !guideSlugs().includes(slug),
  );
const in3 = (text: string) => ({ en: `${text} en`, zh: `${text} zh（。）`, ja: `${text} ja？` });

describe('help articles', () => {
  test('the catalogue writes one in three languages, publishes it, changes it and rolls back', async () => {
    const first = { slug: 'first-steps', title: in3('Steps'), content: in3('# One'), reason: 'asked often' };
    const made = await post('articles', first, CATALOGUE);
    expect([made.status, made.body]).toEqual([
      201,
      expect.objectContaining({ slug: 'first-steps', state: 'draft', latest: 1, published: null }),
    ]);
    const { id } = made.body;
    // A draft is nobody else's.
    expect(await listed('en')).toEqual([]);
    expect((await tell('/portal/v1/articles/first-steps')).status).toBe(404);

    const published = await post(`articles/${id}/publish`, { number: 1, reason: 'ready' }, CATALOGUE);
    expect(published.body).toMatchObject({ state: 'published', published: 1 });
    expect(await lastEntry()).toMatchObject({ object: `Article/${id}`, reason: 'version – → 1: ready' });
    for (const language of ['en', 'zh', 'ja'] as const) {
      const { body } = await tell('/portal/v1/articles/first-steps', { language });
      expect(body.result).toMatchObject({ title: in3('Steps')[language], content: in3('# One')[language] });
    }
    expect(await listed('zh')).toEqual([
      { slug: 'first-steps', title: in3('Steps').zh, published_at: expect.any(String), found: null },
    ]);

    const { body: row } = await ask(`articles/${id}`, { as: CATALOGUE });
    const edited = await put(`articles/${id}`, { ...row, content: in3('# Two'), reason: 'clearer' }, CATALOGUE);
    expect(edited.body).toMatchObject({ state: 'changed', latest: 2, published: 1 });
    expect((await tell('/portal/v1/articles/first-steps')).body.result.content).toBe('# One en');
    await post(`articles/${id}/publish`, { number: 2, reason: 'ready' }, CATALOGUE);
    expect((await tell('/portal/v1/articles/first-steps')).body.result.content).toBe('# Two en');

    await post(`articles/${id}/publish`, { number: 1, reason: 'two was wrong' }, CATALOGUE);
    expect((await tell('/portal/v1/articles/first-steps')).body.result.content).toBe('# One en');
    expect(await lastEntry()).toMatchObject({ reason: 'version 2 → 1: two was wrong' });
    const { body: versions } = await list('article-versions', { article_id: id }, CATALOGUE);
    expect(
      versions.map((one: { number: number; is_published: boolean; reason: string }) => [
        one.number,
        one.is_published,
        one.reason,
      ]),
    ).toEqual([
      [1, true, 'asked often'],
      [2, false, 'clearer'],
    ]);
    expect(await wasTakenOff(db, 'article', 'first-steps')).toBe(false);
    await post(`articles/${id}/withdraw`, { reason: 'outdated' }, CATALOGUE);
    expect((await tell('/portal/v1/articles/first-steps')).status).toBe(404);
    expect(await wasTakenOff(db, 'article', 'first-steps')).toBe(true);
  });

  test('a roll-back goes to what was published before, and passes over drafts', async () => {
    const first = { slug: 'rolled-back', title: in3('T'), content: in3('1'), reason: 'x' };
    const { body: made } = await post('articles', first, CATALOGUE);
    const before = async () => (await ask(`articles/${made.id}`, { as: CATALOGUE })).body.published_before;
    const edit = async (text: string) => {
      const { body: row } = await ask(`articles/${made.id}`, { as: CATALOGUE });
      await put(`articles/${made.id}`, { ...row, content: in3(text), reason: 'x' }, CATALOGUE);
    };
    const publish = (number: number) => post(`articles/${made.id}/publish`, { number, reason: 'x' }, CATALOGUE);
    await publish(1);
    expect(await before()).toBeNull();
    await edit('2');
    await edit('3');
    await publish(3);
    expect(await before()).toBe(1);
    await publish(1);
    expect(await before()).toBeNull();
    await post(`articles/${made.id}/withdraw`, { reason: 'over' }, CATALOGUE);
    expect(await before()).toBeNull();
  });

  test('a second editor is told that somebody was faster', async () => {
    const { body: made } = await post('articles', {
      slug: 'two-editors',
      title: in3('T'),
      content: in3('C'),
      reason: 'x',
    });
    await put(`articles/${made.id}`, { content: in3('theirs'), reason: 'x' });
    const { body: seen } = await ask(`articles/${made.id}`);
    await put(`articles/${made.id}`, { content: in3('theirs again'), reason: 'x' });
    const late = await put(`articles/${made.id}`, { version: seen.version, content: in3('mine'), reason: 'x' });
    expect([late.status, late.body.error]).toEqual([409, 'edited_meanwhile']);
  });

  test('one address, one about page, no version without text, and no other addresses', async () => {
    const body = { title: in3('T'), content: in3('C'), reason: 'x' };
    expect((await post('articles', { ...body, slug: 'taken' })).status).toBe(201);
    expect((await post('articles', { ...body, slug: 'taken' })).body).toMatchObject({
      error: 'slug_taken',
      field: 'slug',
    });
    expect((await post('articles', { ...body, slug: '../etc' })).body).toMatchObject({
      error: 'slug_rule',
      field: 'slug',
    });
    const about = await post('articles', { ...body, slug: 'about', kind: 'about', content: { ...in3('C'), ja: '' } });
    expect((await post('articles', { ...body, slug: 'about-2', kind: 'about' })).body.error).toBe('about_exists');
    const { id } = about.body;
    expect((await post(`articles/${id}/publish`, { number: 1, reason: 'x' })).body.error).toBe('article_empty');
    expect((await post(`articles/${id}/publish`, { number: 9, reason: 'x' })).status).toBe(404);
    await put(`articles/${id}`, { content: in3('About us'), reason: 'x' });
    await post(`articles/${id}/publish`, { number: 2, reason: 'x' });
    expect((await tell('/portal/v1/about', { language: 'ja' })).body.result.content).toBe(in3('About us').ja);
    // It is no help article.
    expect((await tell('/portal/v1/articles/about')).status).toBe(404);
  });

  test('votes stand in the row, and a draft has addresses for staff alone', async () => {
    const made = await post('articles', { slug: 'voted', title: in3('T'), content: in3('C'), reason: 'x' });
    const { id } = made.body;
    await post(`articles/${id}/publish`, { number: 1, reason: 'x' });
    for (const helpful of [true, true, false])
      await tell('/portal/v1/articles/voted/helpful', { method: 'POST', body: JSON.stringify({ helpful }) });
    expect((await ask(`articles/${id}`)).body).toMatchObject({ votes_yes: 2, votes_no: 1 });
    const { body } = await post(`articles/${id}/preview`, { number: 1 });
    expect(body).toEqual({
      en: expect.stringMatching(/\/en\/preview\/[\w.-]+$/),
      ...{ zh: expect.stringContaining('/zh/preview/'), ja: expect.stringContaining('/ja/preview/') },
    });
    expect((await post(`articles/${id}/preview`, { number: 2 })).status).toBe(404);
    expect((await post(`articles/${id}/preview`, { number: 1 }, SUPPORT)).status).toBe(403);
    expect((await list('article-faults', { fault: 'untranslated' }, CATALOGUE)).status).toBe(200);
  });

  test.each(['contact', 'terms', 'privacy'])('the page %s is nothing until staff publish one', async (kind) => {
    expect((await tell(`/portal/v1/${kind}`)).body.result).toBeNull();
    const body = { title: in3(kind), content: in3('C'), reason: 'x' };
    const { id } = (await post('articles', { ...body, slug: kind, kind })).body;
    expect((await post('articles', { ...body, slug: `${kind}-2`, kind })).body.error).toBe('about_exists');
    expect((await tell(`/portal/v1/${kind}`)).body.result).toBeNull();
    await post(`articles/${id}/publish`, { number: 1, reason: 'x' });
    expect((await tell(`/portal/v1/${kind}`, { language: 'zh' })).body.result).toMatchObject({ content: in3('C').zh });
    await post(`articles/${id}/withdraw`, { reason: 'x' });
    expect((await tell(`/portal/v1/${kind}`)).body.result).toBeNull();
  });

  test('whoever has it gets 304', async () => {
    const first = await tell('/portal/v1/about');
    const etag = first.headers.get('etag') ?? '';
    expect([first.status, first.headers.get('vary')?.includes('Accept-Language')]).toEqual([200, true]);
    expect((await tell('/portal/v1/about', { etag })).status).toBe(304);
    expect((await tell('/portal/v1/about', { etag, language: 'zh' })).status).toBe(200);
  });

  test('as long as it may be, in the letters that take most', async () => {
    const content = { en: 'a'.repeat(40_000), zh: '云'.repeat(40_000), ja: '雲'.repeat(40_000) };
    expect((await post('articles', { slug: 'long', title: in3('T'), content, reason: 'x' })).status).toBe(201);
    const more = { ...content, en: `${content.en}a` };
    expect((await post('articles', { slug: 'longer', title: in3('T'), content: more, reason: 'x' })).status).toBe(400);
  });

  test('support does not write them', async () => {
    const body = { slug: 'by-support', title: in3('T'), content: in3('C'), reason: 'x' };
    expect((await post('articles', body, SUPPORT)).status).toBe(403);
  });
});

describe('mails', () => {
  const MAIL = { channel: 'email' as const, language: 'en', template: 'invited', sealedArgs: 'sealed', tries: 3 };
  const soon = () => new Date(Date.now() + 3_600_000);
  const before = () => new Date(Date.now() - 1_000);
  beforeAll(async () => {
    const common = { ...MAIL, createdAt: before(), expiresAt: soon(), nextAt: soon() };
    await db.sql.insert(mails).values([
      { ...common, id: 'mail-wait', address: 'alice@example.com', lastError: 'EAUTH' },
      { ...common, id: 'mail-fail', address: 'bob@example.com', failedAt: before(), expiresAt: before() },
      {
        ...common,
        id: 'mail-code',
        address: 'carol@example.com',
        template: 'code',
        failedAt: before(),
        sealedArgs: null,
      },
      { ...common, id: 'mail-sent', address: '+8613800138000', channel: 'phone', sentAt: before(), sealedArgs: null },
      { ...common, id: 'mail-end', address: 'dave@example.com' },
    ]);
  });

  test('support sees why one was not sent, and neither address nor content', async () => {
    const { body } = await list('mails', { address: 'Alice@example.com' }, SUPPORT);
    expect(body).toEqual([
      expect.objectContaining({
        id: 'mail-wait',
        address: 'a***@example.com',
        state: 'waiting',
        failure: 'login',
        tries: 3,
        can_retry: true,
      }),
    ]);
    const all = await list('mails', {}, SUPPORT);
    expect(JSON.stringify(all.body)).not.toMatch(/alice|sealed|138001/);
    const states = Object.fromEntries(all.body.map((one: { id: string; state: string }) => [one.id, one.state]));
    expect(states).toMatchObject({ 'mail-wait': 'waiting', 'mail-fail': 'failed', 'mail-sent': 'sent' });
    expect((await list('mails', { state: ['sent'] }, SUPPORT)).body.map((one: { id: string }) => one.id)).toEqual([
      'mail-sent',
    ]);
    expect((await list('mails', { address: 'example.com' }, SUPPORT)).body).toEqual([]);
    expect((await list('mails', {}, CATALOGUE)).status).toBe(403);
  });

  test('several are sent again, each with what became of it', async () => {
    const ids = ['mail-fail', 'mail-code', 'mail-sent', 'mail-none'];
    const { body } = await post('mails/retry', { ids, reason: 'the server is back' }, SUPPORT);
    expect(body.items.map(({ id, error }: { id: string; error: string | null }) => [id, error])).toEqual([
      ['mail-fail', null],
      ['mail-code', 'mail_useless'],
      ['mail-sent', 'mail_done'],
      ['mail-none', 'not_found'],
    ]);
    expect(await lastEntry()).toMatchObject({ action: 'adminRetryMails', reason: 'the server is back' });
    const [again] = await db.sql.select().from(mails).where(eq(mails.id, 'mail-fail'));
    expect([again?.failedAt, (again?.expiresAt.getTime() ?? 0) > Date.now()]).toEqual([null, true]);
  });

  test('one that is given up is erased and never sent', async () => {
    const { body } = await post('mails/give-up', { ids: ['mail-end'], reason: 'wrong address' }, SUPPORT);
    expect(body.items).toEqual([{ id: 'mail-end', error: null, message: null }]);
    expect((await ask('mails/mail-end', { as: SUPPORT })).body).toMatchObject({ state: 'givenUp', can_retry: false });
    const [row] = await db.sql.select().from(mails).where(eq(mails.id, 'mail-end'));
    expect([row?.sealedArgs, row?.givenUpBy]).toEqual([null, 'acc-viewer']);
    const again = await post('mails/retry', { ids: ['mail-end'], reason: 'x' }, SUPPORT);
    expect(again.body.items[0].error).toBe('mail_done');
  });
});

describe('settings', () => {
  const settings = async () => (await tell('/settings')).body.result;

  test('one counts at once, is audited with both values, and goes back to the option', async () => {
    expect((await settings()).docs).toBe('https://docs.example');
    const { body: row } = await ask('settings/docs');
    expect(row).toMatchObject({ value: 'https://docs.example', installed: 'https://docs.example', is_changed: false });
    await put('settings/docs', { ...row, value: 'https://new.example', reason: 'moved' });
    expect((await settings()).docs).toBe('https://new.example');
    expect(await lastEntry()).toMatchObject({
      object: 'Setting/docs',
      reason: 'moved ("https://docs.example" → "https://new.example")',
    });
    expect((await list('settings', { is_changed: true })).body.map(({ id }: { id: string }) => id)).toEqual(['docs']);
    const headers = { 'x-reason': encodeURIComponent('誤り') };
    const back = await ask('settings/docs', { method: 'DELETE', headers });
    expect(back.body).toMatchObject({ value: 'https://docs.example', is_changed: false });
    expect((await settings()).docs).toBe('https://docs.example');
  });

  test.each([
    ['docs', 'javascript:alert(1)', 'setting_link'],
    ['welcome-credit', '-1', 'setting_amount'],
    ['recharge-limits', 'USD:100-1', 'setting_limits'],
    ['recharge-limits', 'dollars', 'setting_limits'],
    ['real-name-review-hours', '0', 'setting_hours'],
    ['low-balance-hours', '24,soon', 'setting_hour_list'],
    ['keep-data-days', '1.5', 'setting_days'],
    ['keep-data-days', `1${'0'.repeat(30)}`, 'setting_days'],
    ['real-name-review-hours', '1e30', 'setting_hours'],
    ['low-balance-hours', '24,1e30', 'setting_hour_list'],
    ['recharge-limits', `USD:1-1${'0'.repeat(30)}`, 'setting_limits'],
    ['welcome-credit', `1${'0'.repeat(30)}`, 'setting_amount'],
    ['docs', `https://x.example/${'a'.repeat(1000)}`, 'setting_link'],
    ['portal-name', ' ', 'setting_name'],
    ['portal-name', 'Cloud\u2028', 'plain_text'],
    ['portal-logo', `data:image/svg+xml;base64,${btoa('<svg/>')}`, 'setting_logo'],
    ['portal-logo', `data:image/png;base64,${btoa('<svg/>')}`, 'setting_logo'],
    ['portal-accent', 'red;}', 'setting_color'],
    ['portal-footer', 'a\nb', 'setting_footer'],
    ['legal-number', 'a'.repeat(101), 'setting_legal_number'],
    ['portal-counts', 'true', 'setting_switch'],
  ])('%s is not %s', async (id, value, error) => {
    expect((await put(`settings/${id}`, { value, reason: 'x' })).body).toMatchObject({ error, field: 'value' });
    expect((await ask(`settings/${id}`)).body.is_changed).toBe(false);
  });

  test('limits of top-ups and welcome credits change without a restart', async () => {
    await put('settings/welcome-credit', { value: '7', reason: 'x' });
    await put('settings/recharge-limits', { value: 'USD:5-6', reason: 'x' });
    expect((await settings()).welcome_credits).toBe('7.00');
    const paid = await tell('/paybill/v1/wallet-balances-paydo', {
      as: 'owner',
      method: 'POST',
      body: JSON.stringify({ amount: '7', payment_channel: 'bank_transfer' }),
    });
    expect([paid.status, paid.body.error, paid.body.args]).toEqual([
      400,
      'amount_outside',
      expect.objectContaining({ most: '6.00' }),
    ]);
  });

  test.each([
    ['one that is offered here is taken', 'bank_transfer', 200, undefined],
    ['one that is not is refused', 'card', 409, 'payment_channel_missing'],
    ['one that does not exist is refused', 'shells', 400, 'invalid_field'],
  ])('a wallet is asked for by a channel: %s', async (_, channel, status, error) => {
    const asked = await tell(`/paybill/v1/wallet-balances?payment_channel=${channel}`, { as: 'owner' });
    expect([asked.status, asked.body.error]).toEqual([status, error]);
  });

  test('only administrators change them', async () => {
    expect((await ask('settings', { as: SUPPORT })).status).toBe(200);
    expect((await put('settings/docs', { value: '', reason: 'x' }, SUPPORT)).status).toBe(403);
    expect((await put('settings/port', { value: '1', reason: 'x' })).status).toBe(404);
  });
});

describe('features', () => {
  const note = { en: 'Back at six.', zh: '六点恢复。', ja: '6時に再開します。' };
  const close = (id: string) => put(`features/${id}`, { is_open: false, note, reason: 'maintenance' });
  const open = (id: string) => put(`features/${id}`, { is_open: true, note: null, reason: 'done' });
  const send = (body: object) => ({ method: 'POST', body: JSON.stringify(body) });
  const CALLS: Record<string, readonly [path: string, init: Parameters<typeof tell>[1], error: string]> = {
    registration: [
      '/auth/v1/register/account',
      send({ username: 'somebody', password: 'Right-pass-77', ticket: 'x'.repeat(43), terms_version: '1' }),
      'registration_closed',
    ],
    providerLogin: ['/auth/v1/login', send({ provider: 'oidc' }), 'provider_login_closed'],
    terminal: ['/develop/v1/instance/ins-own/terminal', { as: 'owner', method: 'POST' }, 'terminal_closed'],
    files: ['/stor/v1/data-disk/dsk-none/filesystem/dir', { as: 'owner' }, 'files_closed'],
    topUps: [
      '/paybill/v1/wallet-balances-paydo',
      { as: 'owner', ...send({ amount: '7', payment_channel: 'bank_transfer' }) },
      'top_ups_closed',
    ],
    newInstances: [
      '/develop/v1/instance',
      { as: 'owner', ...send({ displayName: 'x', cores: 1, memoryGi: 1, image: 'a/b:1', homeDisk: { sizeGi: 1 } }) },
      'new_instances_closed',
    ],
  };

  test.each(Object.keys(CALLS))('%s is closed with a sentence of staff, and open again', async (id) => {
    const [path, init, error] = CALLS[id] ?? ['', {}, ''];
    expect((await tell(path, init)).body.error).not.toBe(error);
    expect((await close(id)).body).toMatchObject({ id, is_open: false, note });
    expect(await lastEntry()).toMatchObject({ object: `Feature/${id}`, reason: 'open → closed: maintenance' });
    expect((await tell('/settings')).body.result.closed_features).toEqual([id]);
    const refused = await tell(path, { ...init, language: 'zh' });
    expect([refused.status, refused.body.error]).toEqual([403, error]);
    expect(refused.body.message).toContain(note.zh);
    expect((await open(id)).body).toMatchObject({ is_open: true, note: null });
    expect((await tell(path, init)).body.error).not.toBe(error);
  });

  test('what exists goes on while new instances are closed', async () => {
    await close('newInstances');
    const action = await tell('/develop/v1/instance/ins-own/action', { as: 'owner', ...send({ action: 'start' }) });
    expect(action.body.error).not.toBe('new_instances_closed');
    expect((await tell('/develop/v1/instance', { as: 'owner' })).status).toBe(200);
    await open('newInstances');
  });

  test('only administrators switch them', async () => {
    expect((await put('features/terminal', { is_open: false, reason: 'x' }, SUPPORT)).status).toBe(403);
    expect((await put('features/everything', { is_open: false, reason: 'x' })).status).toBe(404);
  });
});

describe('incidents', () => {
  const text = in3('We look.');
  const shown = async (language?: 'zh') =>
    (await tell('/portal/v1/status', { ...(language && { language }) })).body.result.incidents;

  test('visitors read one in their language, with each update, until it is resolved and after', async () => {
    const body = { title: in3('Slow'), text, components: ['mail', 'mail', 'payments'], reason: 'reported' };
    const made = await post('incidents', body, SUPPORT);
    expect([made.status, made.body]).toEqual([
      201,
      expect.objectContaining({ state: 'investigating', components: ['mail', 'payments'], resolved_at: null }),
    ]);
    const { id } = made.body;
    expect(await lastEntry()).toMatchObject({ object: `Incident/${id}`, reason: 'reported' });
    expect(await shown('zh')).toEqual([
      {
        ...{ id, title: in3('Slow').zh, state: 'investigating', components: ['mail', 'payments'] },
        ...{ started_at: expect.any(String), resolved_at: null },
        updates: [{ at: expect.any(String), state: 'investigating', text: text.zh }],
      },
    ]);
    const update = { state: 'resolved', text: in3('Fixed.'), title: in3('Slow mails'), reason: 'it is over' };
    expect((await post(`incidents/${id}/update`, update, SUPPORT)).body).toMatchObject({
      ...{ state: 'resolved', resolved_at: expect.any(String), title: in3('Slow mails') },
      updates: [{ state: 'investigating' }, { state: 'resolved', by: expect.any(String) }],
    });
    const [found] = await shown();
    expect(JSON.stringify(found)).not.toContain('acc-');
    expect(found).toMatchObject({
      title: in3('Slow mails').en,
      state: 'resolved',
      updates: [{}, { text: 'Fixed. en' }],
    });
    await post(`incidents/${id}/update`, { state: 'monitoring', text, reason: 'again' }, SUPPORT);
    expect((await shown())[0]).toMatchObject({ state: 'monitoring', resolved_at: null });
  });

  test('one does not start in the future, and the catalogue writes none', async () => {
    const body = { title: in3('Slow'), text, components: ['mail'], reason: 'x', started_at: '2999-01-01T00:00:00Z' };
    expect((await post('incidents', body)).body).toMatchObject({ error: 'incident_start', field: 'started_at' });
    expect((await post('incidents', { ...body, components: ['tenants'] })).status).toBe(400);
    expect((await post('incidents', { ...body, started_at: undefined }, CATALOGUE)).status).toBe(403);
    expect((await post('incidents/nothing/update', { state: 'resolved', text, reason: 'x' })).status).toBe(404);
  });
});

describe('announcements', () => {
  const at = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
  test('those to come, shown and ended are told apart', async () => {
    const times: [number, number][] = [
      [1, 2],
      [-1, 1],
      [-2, -1],
    ];
    for (const [from, to] of times)
      await post(
        'announcements',
        { title: in3('T'), content: in3('C'), starts_at: at(from), ends_at: at(to), reason: 'x' },
        SUPPORT,
      );
    const states = async (filter: object) =>
      (await list('announcements', filter, SUPPORT)).body.map(({ state }: { state: string }) => state).sort();
    expect(await states({})).toEqual(['holds', 'later', 'over']);
    expect(await states({ state: 'over' })).toEqual(['over']);
    expect(await states({ state: ['later', 'holds'] })).toEqual(['holds', 'later']);
  });
});

describe('backups', () => {
  test('without a bucket the list is empty and none is made; support may look and not ask', async () => {
    expect((await list('backups', {}, SUPPORT)).body).toEqual([]);
    const refused = await post('backups', { reason: 'before an update' });
    expect([refused.status, refused.body.error]).toEqual([409, 'backup_off']);
    expect((await post('backups', { reason: 'before an update' }, SUPPORT)).status).toBe(403);
  });
});

describe('health', () => {
  test('each part has a row, and a gateway that fell silent is told', async () => {
    const long = new Date(Date.now() - 600_000);
    const silent = { id: 'gtw-silent', host: 'gone', version: '0.0.1', startedAt: long, seenAt: long };
    await db.sql.insert(gateways).values(silent);
    const { status, body } = await ask('health', { as: SUPPORT });
    expect(status).toBe(200);
    const found = new Map<string, { state: string; version: string | null; trouble: string | null }[]>();
    for (const row of body) found.set(row.component, [...(found.get(row.component) ?? []), row]);
    expect(
      found
        .get('gateway')
        ?.map(({ state, trouble }) => [state, trouble])
        .sort(),
    ).toEqual([
      ['down', 'gatewaySilent'],
      ['ok', null],
    ]);
    expect(found.get('database')).toMatchObject([{ trouble: 'databaseEmbedded', version: expect.any(String) }]);
    expect(found.get('registry')).toMatchObject([{ trouble: 'registryOff' }]);
    expect([...found.keys()].sort()).toEqual([
      ...['backup', 'contact', 'database', 'door', 'gateway', 'issuer', 'mail', 'operator', 'registry'],
    ]);
    expect(found.get('backup')).toMatchObject([{ trouble: 'backupOff' }]);
    expect(found.get('contact')).toMatchObject([{ state: 'warning', trouble: 'contactOff' }]);
    expect(found.get('issuer')).toMatchObject([{ state: 'warning', trouble: 'issuerOff' }]);
  });
});

test.each([
  ['moved', 5],
  ['w'.repeat(1000), 800],
])('an entry keeps why and both values, however long they are', (reason, least) => {
  const text = changeOf(reason, `old${'x'.repeat(2000)}`, `new${'y'.repeat(2000)}`);
  expect(text.length).toBeLessThanOrEqual(1024);
  expect(text.startsWith(reason.slice(0, least))).toBe(true);
  expect(text).toMatch(/\("oldx+…" → "newy+…"\)$/);
});
