// The platform's staff at the operators' console, one story per role. Each has their own browser; nobody may see an error that the
// story does not name.
import { ACCOUNT_ROUTES } from '@gantry/contract/http/account.ts';
import { PEOPLE_COMMANDS } from '@gantry/contract/http/admin-people.ts';
import type { PlatformRole } from '@gantry/contract/roles.ts';
import { beforeAll, expect } from '@jest/globals';
import { CARD_KEYS } from '../support/card-double.ts';
import { type Person, signUp } from '../support/sign-up.ts';
import { inTurn } from '../support/soak.ts';
import { adminPages } from './admin-pages.ts';
import { axeComplaints, axeContrast } from './axe.ts';
import { type Seeded, seeded } from './seed.ts';
import { setWebStage } from './web-stage.ts';

const TURNS = 3;
const { story, web } = setWebStage();
let seed: Seeded;

beforeAll(async () => {
  const { gateway, mailbox, double, stage } = web();
  const payments = { paymentsUrl: double.url, paymentsKey: CARD_KEYS.secretKey };
  seed = await seeded({ client: gateway.client, mailbox, ...payments }, 'admin_ann');
  stage.adopt(seed.organizationId);
});

/** Somebody of the staff who has this role alone. */
async function staffWith(role: PlatformRole, name: string): Promise<Person> {
  const { gateway, mailbox, stage } = web();
  const person = await signUp(gateway.client, mailbox, name);
  const { account_id: id, org_id } = await person.client.must(ACCOUNT_ROUTES.getMe);
  stage.adopt(org_id);
  const { client } = await web().staff();
  await client.must(PEOPLE_COMMANDS.adminEditUser, {
    params: { id },
    body: { platform_roles: [role], reason: 'a story' },
  });
  return person;
}

story('the administrator signs in by hand, and every menu opens', async (stage) => {
  const { name, password, client } = await stage.staff();
  const visitor = await stage.staffVisitor();
  const { page } = visitor;
  await visitor.tries('/manage');
  expect(new URL(page.url()).pathname).toBe('/login');
  await page.getByLabel('Account name, e-mail address or phone number').fill(name);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('tab', { name: 'Hosts', selected: true }).waitFor();
  expect(new URL(page.url()).pathname).toBe('/manage/host');
  for (const menu of [
    'Storage',
    'Billing',
    'Operation',
    'Portal',
    'Models',
    'Datasets',
    'Users',
    'Audit',
    'Discounts',
  ]) {
    await page.getByRole('navigation', { name: 'Menus' }).getByRole('link', { name: menu }).click();
    await page.getByRole('heading', { level: 1, name: menu }).waitFor();
  }
  expect(await client.must(ACCOUNT_ROUTES.getMe)).toMatchObject({ platform_roles: ['administrator'] });
});

story('somebody without a role of the staff is told so, and nothing else opens', async (stage) => {
  const visitor = await stage.staffVisitor();
  await visitor.isStaff(seed.person);
  await visitor.tries('/manage/user');
  await visitor.page.getByRole('heading', { name: 'This console is for the platform’s staff' }).waitFor();
  expect(await visitor.page.getByRole('navigation').count()).toBe(0);
});

story('a role opens its own menus and no other', async (stage) => {
  const finance = await staffWith('finance', 'admin_fin');
  const visitor = await stage.staffVisitor();
  await visitor.isStaff(finance);
  await visitor.goes('/manage/billing');
  const menus = visitor.page.getByRole('navigation', { name: 'Menus' }).getByRole('link');
  await menus.first().waitFor();
  expect(await menus.allTextContents()).toEqual(['Home', 'Billing', 'Discounts']);
  await visitor.tries('/manage/user');
  await visitor.page.getByRole('heading', { name: 'There is no such page, or your role does not open it.' }).waitFor();
});

story('axe finds nothing on the operators’ pages, in both schemes', async (stage) => {
  const administrator = await stage.staff();
  const visitor = await stage.staffVisitor();
  const found: Record<string, readonly string[]> = {};
  await visitor.tries('/login');
  const login = await axeComplaints(visitor);
  if (login.length > 0) found['/login'] = login;
  await visitor.isStaff(administrator);
  const pages = await adminPages(administrator.client);
  for (const path of inTurn('admin-pages', pages, TURNS)) {
    await visitor.goes(path);
    const light = await axeComplaints(visitor);
    await visitor.page.emulateMedia({ colorScheme: 'dark' });
    const dark = await axeContrast(visitor);
    await visitor.page.emulateMedia({ colorScheme: 'light' });
    if (light.length + dark.length > 0) found[path] = [...light, ...dark.map((one) => `dark: ${one}`)];
  }
  expect(found).toEqual({});
  expect(pages.length).toBeGreaterThan(30);
});
