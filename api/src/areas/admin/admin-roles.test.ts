// Every route of the operators' console × every role of the platform's staff: who may call it, and who is told that they may not. The
// routes come from the table, so that none escapes; who has which menu is written down here once more, on purpose.
import type { RouteFacts } from '@gantry/contract/http/define-route.ts';
import { ROUTES } from '@gantry/contract/http/routes.ts';
import { ADMIN_MENUS, PLATFORM_ROLES, type PlatformRole, type StaffAccess } from '@gantry/contract/roles.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type * as z from 'zod';
import { migratedDatabase } from '../../../../test/support/database.ts';
import { type MemoryGateway, startMemoryGateway } from '../../../../test/support/memory-gateway.ts';
import { accounts, memberships, platformGrants, sessions } from '../../platform/db/schema/people.ts';
import { sha256 } from '../../platform/secrets.ts';

let gateway: MemoryGateway;
beforeAll(async () => {
  gateway = await startMemoryGateway({ db: await migratedDatabase() });
  const { sql: db } = gateway.db;
  const createdAt = new Date();
  for (const role of PLATFORM_ROLES) {
    const accountId = `acc-of-${role}`;
    await db.insert(accounts).values({ id: accountId, name: `of-${role}`, createdAt });
    await db.insert(memberships).values({ organizationId: 'acmeorgs', accountId, role: 'viewer', createdAt });
    await db.insert(platformGrants).values({ accountId, role, createdAt });
    await db.insert(sessions).values({
      id: `ses-of-${role}`,
      tokenHash: sha256(`staff-token-of-${role}`),
      accountId,
      organizationId: 'acmeorgs',
      createdAt,
      lastUsedAt: createdAt,
      expiresAt: new Date('2099-01-01T00:00:00Z'),
    });
  }
}, 120_000);
afterAll(() => gateway.stop());

const WHO: Record<StaffAccess['platform'], readonly PlatformRole[]> = {
  any: ['administrator', 'auditManager', 'finance', 'catalogue', 'support'],
  computing: ['administrator', 'support'],
  storage: ['administrator', 'support'],
  billing: ['administrator', 'finance'],
  operation: ['administrator', 'support'],
  portal: ['administrator', 'catalogue'],
  model: ['administrator', 'catalogue'],
  dataset: ['administrator', 'catalogue'],
  user: ['administrator', 'auditManager', 'support'],
  audit: ['administrator', 'auditManager'],
  discount: ['administrator', 'finance'],
};

type StaffRoute = RouteFacts & { access: StaffAccess };
const isStaffs = (route: RouteFacts): route is StaffRoute =>
  typeof route.access === 'object' && 'platform' in route.access;
const staffRoutes = Object.values(ROUTES).filter(isStaffs);

const mayCall = ({ access: { platform, role: needed } }: StaffRoute, role: PlatformRole): boolean =>
  WHO[platform].includes(role) && (needed === undefined || needed === role);

const SAMPLES = ['nothing', 'acc-nobody', 'org-nobody.nothing', '1', 'zzzzzzzz', 'ins-00000000'];
const sampleOf = (rule: z.ZodType | undefined): string =>
  SAMPLES.find((sample) => rule?.safeParse(sample).success) ?? 'nothing';

/** Nothing is there by that name, and nobody knows that field: whoever is let in changes nothing all the same. */
async function ask({ method, path, params, query, body }: RouteFacts, token: string) {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(sampleOf(params?.shape[name] as z.ZodType | undefined)),
  );
  const needed = Object.entries(query?.shape ?? {}).filter(
    ([, rule]) => !(rule as z.ZodType).safeParse(undefined).success,
  );
  const search = new URLSearchParams(
    needed.map(([name, rule]): [string, string] => [name, sampleOf(rule as z.ZodType)]),
  );
  const answer = await gateway.client(token).fetch(`/api${filled}?${search}`, {
    method,
    ...(body && { headers: { 'content-type': 'application/json' }, body: '{"nonsense":1}' }),
  });
  const text = await answer.text();
  const isJson = answer.headers.get('content-type')?.includes('json') ?? false;
  return { status: answer.status, error: isJson ? (JSON.parse(text) as { error?: string }).error : undefined };
}

test('each menu of the staff is in the table above', () => {
  expect(Object.keys(WHO).sort()).toEqual(['any', ...ADMIN_MENUS].sort());
});

test('no route below /admin is without a rule for staff', () => {
  const free = Object.values(ROUTES).filter((route) => route.path.startsWith('/admin/') && !isStaffs(route));
  expect(free.map(({ id }) => id)).toEqual([]);
});

describe.each(staffRoutes.map((route) => [`${route.method} ${route.path}`, route] as const))('%s', (_, route) => {
  const may = PLATFORM_ROLES.filter((role) => mayCall(route, role));
  const mayNot = PLATFORM_ROLES.filter((role) => !mayCall(route, role));

  test(`open to ${may.join(', ')}`, async () => {
    for (const role of may) {
      const { status, error } = await ask(route, `staff-token-of-${role}`);
      expect([role, status === 401 || status === 403 || status >= 500, error]).toEqual([role, false, error]);
    }
  });

  if (mayNot.length > 0)
    test(`403 for ${mayNot.join(', ')}`, async () => {
      for (const role of mayNot)
        expect([role, await ask(route, `staff-token-of-${role}`)]).toEqual([
          role,
          { status: 403, error: 'permission_missing' },
        ]);
    });

  test('403 for the owner of an organisation who is not staff', async () => {
    expect(await ask(route, gateway.tokens.owner)).toEqual({ status: 403, error: 'permission_missing' });
  });
});
