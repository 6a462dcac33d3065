// Staff look at a tenant's console: by a ticket that works once, for reading only, and the owners hear of it.

import { mayView } from '@gantry/contract/areas/identity/view-as-tenant.ts';
import type { RouteFacts } from '@gantry/contract/http/define-route.ts';
import { ROUTES } from '@gantry/contract/http/routes.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { desc, eq } from 'drizzle-orm';
import { migratedDatabase } from '../../test/support/database.ts';
import { eventually } from '../../test/support/eventually.ts';
import { type MemoryGateway, startMemoryGateway } from '../../test/support/memory-gateway.ts';
import type { Database } from './platform/db/open.ts';
import { auditLog } from './platform/db/schema/audit.ts';
import { messages, notices } from './platform/db/schema/messages.ts';
import { platformGrants } from './platform/db/schema/people.ts';
import { views } from './platform/db/schema/staff.ts';

let db: Database;
let gateway: MemoryGateway;
let view: { token: string; org_id: string; account_id: string };
beforeAll(async () => {
  db = await migratedDatabase();
  gateway = await startMemoryGateway({ db });
  const createdAt = new Date();
  await db.sql.insert(platformGrants).values([
    { accountId: 'acc-viewer', role: 'support', createdAt },
    { accountId: 'acc-billing', role: 'auditManager', createdAt },
  ]);
  view = await opened();
}, 120_000);
afterAll(() => gateway.stop());

interface Said {
  method?: string;
  body?: unknown;
  token?: string | undefined;
}

async function ask(path: string, { method = 'GET', body, token }: Said = {}) {
  const answer = await gateway.client(token).fetch(`/api${path}`, {
    method,
    ...(body !== undefined && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  });
  const isJson = answer.headers.get('content-type')?.includes('json');
  // biome-ignore lint/suspicious/noExplicitAny: answers of any route
  return { status: answer.status, body: (isJson ? await answer.json() : await answer.text()) as any };
}

const ticketFor = (organization: string, token = gateway.tokens.viewer) =>
  ask(`/admin/organizations/${organization}/view`, { method: 'POST', body: { reason: 'ticket 4711' }, token });

const exchange = (ticket: string) => ask('/auth/v1/view', { method: 'POST', body: { ticket } });

async function opened() {
  const { body } = await ticketFor('otherorg');
  return (await exchange(body.ticket)).body.result;
}

const routes = Object.values(ROUTES);
const titled = (of: readonly RouteFacts[]) => of.map((route) => [`${route.method} ${route.path}`, route] as const);
const pathOf = ({ path }: RouteFacts) => path.replaceAll(/\{\w+\}/g, 'ins-stranger');

describe('a view of a tenant’s console', () => {
  test('opens by a ticket of thirty seconds, once', async () => {
    const { status, body } = await ticketFor('otherorg');
    expect(status).toBe(201);
    expect(new URL(body.url).pathname + new URL(body.url).search).toBe(`/login?view=${body.ticket}`);
    expect(Date.parse(body.expires_at) - Date.now()).toBeLessThanOrEqual(30_000);
    const first = await exchange(body.ticket);
    expect(first.body.result).toMatchObject({ org_id: 'otherorg', account_name: 'viewer', reason: 'ticket 4711' });
    expect(await exchange(body.ticket)).toMatchObject({ status: 400, body: { error: 'view_ticket' } });
  });

  test('a ticket that is older opens nothing', async () => {
    const { body } = await ticketFor('otherorg');
    await db.sql
      .update(views)
      .set({ expiresAt: new Date(Date.now() - 1) })
      .where(eq(views.reason, 'ticket 4711'));
    expect(await exchange(body.ticket)).toMatchObject({ status: 400, body: { error: 'view_ticket' } });
    view = await opened();
  });

  test('is opened by support and administrators, and by no other staff', async () => {
    expect((await ticketFor('otherorg', gateway.tokens.administrator)).status).toBe(201);
    expect((await ticketFor('otherorg', gateway.tokens.billing)).body.error).toBe('permission_missing');
    expect((await ticketFor('otherorg', gateway.tokens.owner)).body.error).toBe('permission_missing');
    expect((await ticketFor('nobodys')).status).toBe(404);
  });

  test('shows what a viewer of that organisation sees', async () => {
    const own = await ask('/auth/v1/organization/me', { token: view.token });
    expect(own.body.result).toMatchObject({ org_id: 'otherorg', role: 'viewer', rights: ['view'], is_new: false });
    const all = await ask('/auth/v1/organization', { token: view.token });
    expect(all.body.data.map(({ org_id }: { org_id: string }) => org_id)).toEqual(['otherorg']);
    const listed = await ask('/develop/v1/instance', { token: view.token });
    expect(listed.body.data).toMatchObject([{ id: 'ins-stranger', actions: [] }]);
    expect((await ask('/auth/v1/organization/otherorg/member', { token: view.token })).body.data).toMatchObject([
      { name: 'stranger', email: null },
    ]);
    expect((await ask('/develop/v1/instance/ins-own', { token: view.token })).status).toBe(404);
    expect((await ask('/auth/v1/account/me', { token: view.token })).body.result).toMatchObject({
      email: null,
      platform_roles: [],
    });
  });

  test('shows no values of variables, in a list and on a page', async () => {
    for (const path of ['/develop/v1/instance', '/develop/v1/instance/ins-stranger']) {
      const text = JSON.stringify((await ask(path, { token: view.token })).body);
      expect(text).toContain('ins-stranger');
      expect(text).not.toContain('hunter2');
    }
    const theirs = await ask('/develop/v1/instance/ins-own', { token: gateway.tokens.owner });
    expect(JSON.stringify(theirs.body)).toContain('hunter2');
  });

  test.each(titled(routes.filter(({ method, id }) => method !== 'GET' && id !== 'endView')))(
    '%s is refused',
    async (_, route) => {
      const { status, body } = await ask(pathOf(route), { method: route.method, token: view.token });
      expect([status, body.error]).toEqual([403, 'view_only']);
    },
  );

  test.each(titled(routes.filter((route) => route.method === 'GET' && !mayView(route))))(
    '%s is not read',
    async (_, route) => {
      const { status, body } = await ask(pathOf(route), { token: view.token });
      expect([status, body.error]).toEqual([403, 'view_only']);
    },
  );

  test('reads nothing of terminals, files, logs, keys, tokens, real names and messages', () => {
    const open = routes.filter((route) => mayView(route) && route.access !== 'public').map(({ path }) => path);
    const secret = /terminal|filesystem|\/log$|pub-key|api-token|kubeconfig|real-auth|\/admin\/|message.*read|picture/;
    expect(open.filter((path) => secret.test(path))).toEqual([]);
  });

  test('is in the platform’s audit log at its start, at what it is refused and at its end', async () => {
    const { token } = await opened();
    await ask('/develop/v1/instance', { method: 'POST', body: {}, token });
    expect((await ask('/auth/v1/view/end', { method: 'POST', token })).status).toBe(200);
    expect((await ask('/develop/v1/instance', { token })).status).toBe(401);
    await eventually('all are written', async () => {
      const entries = await db.sql.select().from(auditLog).orderBy(desc(auditLog.id)).limit(4);
      const told = entries.map(({ action, actorId, actorKind, organizationId, decision }) =>
        [action, actorId, actorKind, organizationId, decision].join(' '),
      );
      expect(told.sort()).toEqual([
        'adminViewTenant acc-viewer staff  allowed',
        'createInstance acc-viewer staff  denied',
        'endView acc-viewer staff  allowed',
        'startView acc-viewer staff  allowed',
      ]);
      return true;
    });
    const [started] = await db.sql
      .select()
      .from(auditLog)
      .where(eq(auditLog.action, 'startView'))
      .orderBy(desc(auditLog.id));
    expect(started).toMatchObject({ object: 'Organization/otherorg', reason: 'ticket 4711' });
  });

  test('is told to the organisation’s owners, with the person and the reason', async () => {
    await eventually('the owner has the message', async () => {
      const told = await db.sql
        .select({ content: notices.content })
        .from(messages)
        .innerJoin(notices, eq(notices.id, messages.noticeId))
        .where(eq(messages.accountId, 'acc-stranger'));
      const about = told.filter(({ content }) => content.en.includes('for reading'));
      expect(about.length).toBeGreaterThan(0);
      expect(about[0]?.content.en).toContain('Reason: ticket 4711');
      expect(about[0]?.content.ja).toContain('viewer');
      return true;
    });
  });

  test('ends when its person is no longer of the staff', async () => {
    const { token } = await opened();
    expect((await ask('/develop/v1/instance', { token })).status).toBe(200);
    await db.sql.delete(platformGrants).where(eq(platformGrants.accountId, 'acc-viewer'));
    await eventually('the next look says so', async () => {
      expect((await ask('/develop/v1/instance', { token })).status).toBe(401);
      return true;
    });
  });
});
