// The platform's staff at the operators' console, one story per role. Each has their own browser; nobody may see an error that the
// story does not name.
import { setTimeout as elapse } from 'node:timers/promises';
import { ACCOUNT_ROUTES } from '@gantry/contract/areas/identity/account.ts';
import { PEOPLE_COMMANDS } from '@gantry/contract/areas/identity/admin-people.ts';
import { REAL_AUTH_ROUTES } from '@gantry/contract/areas/identity/real-auth.ts';
import { MESSAGE_ROUTES } from '@gantry/contract/areas/messages/messages.ts';
import { KIND_ROUTES } from '@gantry/contract/http/kind-routes.ts';
import type { PlatformRole } from '@gantry/contract/roles.ts';
import { beforeAll, expect } from '@jest/globals';
import { CARD_KEYS } from '../support/card-double.ts';
import { eventually } from '../support/eventually.ts';
import { type Person, signUp } from '../support/sign-up.ts';
import { inTurn, isSoak } from '../support/soak.ts';
import { adminPages } from './admin-pages.ts';
import { axeComplaints, axeContrast } from './axe.ts';
import { type Seeded, seeded } from './seed.ts';
import { setWebStage } from './web-stage.ts';

const TURNS = 3;
const PATIENCE_MS = 90_000;
const WHY = 'The node under it is being repaired.';
const WHO = {
  type: 1,
  name: 'Ann',
  id_card: '11010519491231002X',
  phone: '13800000000',
  commitment: true,
} as const;
const { story, web } = setWebStage();
/** Within a second each gateway has looked at a session's roles again. */
const KNOWN_EVERYWHERE_MS = 1_100;
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
  if (isSoak) await elapse(KNOWN_EVERYWHERE_MS);
  return person;
}

/** The answer of the operators' API to somebody. */
async function asStaff<Answer>({ client }: Person, path: string): Promise<Answer> {
  const answer = await client.fetch(`/api/admin/${path}`);
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  return (await answer.json()) as Answer;
}

/** A message of the seeded organisation's owner has these words. */
const ownerIsTold = (words: string) =>
  eventually(
    `the owner is told: ${words}`,
    async () => {
      const body = { cursor: '0', page_size: 10 };
      const { data } = await seed.person.client.must(MESSAGE_ROUTES.listMessages, { body });
      return data.some(({ content }) => content.includes(words));
    },
    PATIENCE_MS,
  );

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
  await visitor.page.getByRole('heading', { name: 'There is no such page, or your role cannot open it.' }).waitFor();
});

story(
  'an administrator finds an instance by an address in a log line, and hibernates it; the tenant reads why',
  async (stage) => {
    const administrator = await stage.staff();
    const id = `org-${seed.organizationId}.${seed.running}`;
    const { address } = await asStaff<{ address: string }>(administrator, `instances/${id}`);
    const visitor = await stage.staffVisitor();
    await visitor.isStaff(administrator);
    await visitor.goes('/home');
    const { page } = visitor;
    await page.keyboard.press('/');
    await page.getByRole('combobox').fill(address);
    await page.getByRole('option', { name: /training_run/ }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'training_run' }).waitFor();
    await page.getByRole('button', { name: 'Hibernate' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Hibernate' }).click();
    await page.getByText('Please give a reason').waitFor();
    await page.getByLabel('Reason').fill(WHY);
    await page.getByRole('dialog').getByRole('button', { name: 'Hibernate' }).click();
    await page.getByText('The command has been accepted.').waitFor();
    await eventually(
      'it hibernates',
      async () => {
        const { phase } = await seed.person.client.must(KIND_ROUTES.gpuInstance.read, { params: { id: seed.running } });
        return ['hibernating', 'shutDown'].includes(phase) || Promise.reject(new Error(phase));
      },
      PATIENCE_MS,
    );
    await ownerIsTold(WHY);
    const tenant = await stage.visitor();
    await tenant.isSignedInAs(seed.person, seed.organizationId);
    await tenant.goes('/home');
    await tenant.page.getByRole('button', { name: /^Messages/ }).click();
    await tenant.page
      .getByRole('button', { name: /training_run|Hibernate/ })
      .first()
      .click();
    await tenant.page.getByText(WHY).first().waitFor();
  },
);

story('an auditor clears five submissions by keyboard', async (stage) => {
  const auditor = await staffWith('auditManager', 'admin_aud');
  const waiting = await Promise.all(
    ['one', 'two', 'tri', 'fou', 'fiv'].map((name) => signUp(stage.gateway.client, stage.mailbox, `submits_${name}`)),
  );
  for (const person of waiting) {
    stage.stage.adopt((await person.client.must(ACCOUNT_ROUTES.getMe)).org_id);
    await person.client.must(REAL_AUTH_ROUTES.submitRealAuth, { body: WHO });
  }
  const visitor = await stage.staffVisitor();
  await visitor.isStaff(auditor);
  await visitor.goes('/manage/audit/real-auths');
  const { page } = visitor;
  await page.getByRole('button', { name: 'Review the queue' }).press('Enter');
  for (const [index, person] of waiting.entries()) {
    await page.getByRole('link', { name: person.name }).waitFor();
    await page.getByRole('button', { name: 'Approve (A)' }).waitFor();
    const isRejected = index === 2;
    await page.keyboard.press(isRejected ? 'r' : 'a');
    if (isRejected) await page.keyboard.press('1');
    await page.keyboard.press('Enter');
  }
  await page.getByText('Nothing else is waiting for you.').first().waitFor();
  const states = await Promise.all(
    waiting.map(async ({ client }) => (await client.must(REAL_AUTH_ROUTES.getOwnRealAuth)).status),
  );
  expect(states).toEqual([1, 1, 2, 1, 1]);
});

story(
  'finance refunds half a payment, simulates and sets a price for tomorrow, and the books verify',
  async (stage) => {
    const finance = await staffWith('finance', 'admin_mon');
    const [payment] = await asStaff<{ id: string; refundable: string }[]>(
      finance,
      `payments?filter=${encodeURIComponent(JSON.stringify({ organization_id: seed.organizationId, state: 'paid' }))}`,
    );
    const visitor = await stage.staffVisitor();
    await visitor.isStaff(finance);
    const { page } = visitor;
    await visitor.goes(`/manage/billing/payments/${payment?.id}/show`);
    await page.getByRole('button', { name: 'Refund' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Half' }).click();
    await dialog.getByLabel('Reason').fill('The customer asked for half.');
    await dialog.getByRole('button', { name: 'Refund' }).click();
    await page.getByText('The refund is on its way', { exact: false }).first().waitFor();
    const { refundable } = await asStaff<{ refundable: string }>(finance, `payments/${payment?.id}`);
    expect(Number(refundable)).toBeLessThan(Number(payment?.refundable));

    await visitor.goes('/manage/billing/prices/create');
    await page.getByRole('combobox', { name: 'Item' }).fill('Tesla T4');
    await page.getByRole('option', { name: /^GPU NVIDIA Tesla T4/ }).click();
    await page.getByLabel('New price').fill('0.5');
    await page.getByRole('button', { name: 'Simulate' }).click();
    // The cluster is younger than a month.
    await page.getByText('None of these items was used last month.').waitFor();
    await page.getByRole('button', { name: 'Set prices' }).click();
    await dialog.getByLabel('Reason').fill('The new list.');
    await dialog.getByRole('button', { name: 'Set prices' }).click();
    await page.getByText('The price is set').waitFor();
    const later = { sku: 'gpu/Tesla-T4' };
    const prices = await asStaff<{ state: string; amount: string }[]>(
      finance,
      `prices?filter=${encodeURIComponent(JSON.stringify(later))}`,
    );
    expect(prices.map(({ state, amount }) => [state, Number(amount)])).toContainEqual(['later', 0.5]);

    await visitor.goes('/manage/billing/proofs');
    await page.getByRole('button', { name: 'Verify the books' }).click();
    await dialog.getByLabel('Reason').fill('End of the day.');
    await dialog.getByRole('button', { name: 'Verify the books' }).click();
    const proven = async () => {
      const [proof] = await asStaff<{ state: string }[]>(finance, 'proofs?sort=["id","DESC"]&range=[0,0]');
      return (
        (proof?.state !== undefined && proof.state !== 'running' && proof.state) || Promise.reject(new Error('running'))
      );
    };
    expect(await eventually('the books are proved', proven, PATIENCE_MS)).toBe('held');
  },
);

story(
  'the catalogue writes a help article in three languages, previews, publishes, edits and rolls it back',
  async (stage) => {
    const catalogue = await staffWith('catalogue', 'admin_cat');
    const visitor = await stage.staffVisitor();
    await visitor.isStaff(catalogue);
    const { page } = visitor;
    const dialog = page.getByRole('dialog');
    const confirm = async (button: string, reason: string) => {
      await page.getByRole('button', { name: button, exact: true }).click();
      await dialog.getByLabel('Reason').fill(reason);
      await dialog.getByRole('button', { name: button, exact: true }).click();
      await dialog.waitFor({ state: 'hidden' });
    };
    const read = async () => await (await stage.gateway.client.fetch('/api/portal/v1/articles/first-steps')).text();
    await visitor.goes('/manage/portal/articles/create');
    await page.getByLabel('Address').fill('first-steps');
    for (const [tab, title] of [
      ['English', 'First steps'],
      ['简体中文', '入门'],
      ['日本語', 'はじめに'],
    ] as const) {
      await page.getByRole('tab', { name: new RegExp(tab) }).click();
      await page.getByLabel('Title').fill(title);
      await page.getByRole('textbox', { name: 'Text' }).fill(`**${title}** <script>alert(1)</script>`);
      await page.getByRole('article').getByText(title).first().waitFor();
    }
    expect(await page.getByRole('article').locator('script').count()).toBe(0);
    await confirm('Save as a draft', 'The first version.');
    await page.getByRole('button', { name: 'Publish', exact: true }).waitFor();
    expect(await read()).toContain('not_found');
    await confirm('Publish', 'It is ready.');
    expect(await read()).toContain('First steps');
    await page.getByRole('tab', { name: /English/ }).click();
    await page.getByLabel('Title').fill('Second thoughts');
    await confirm('Save as a draft', 'A better title.');
    await confirm('Publish', 'It is better.');
    expect(await read()).toContain('Second thoughts');
    await page.getByRole('tab', { name: 'Versions' }).click();
    await page.getByRole('row').last().click();
    await confirm('Publish this version again', 'It was not better.');
    expect(await read()).toContain('First steps');
  },
);

story('support views as tenant, can change nothing, and the owner is told', async (stage) => {
  const support = await staffWith('support', 'admin_sup');
  const visitor = await stage.staffVisitor();
  await visitor.isStaff(support);
  await visitor.goes(`/manage/user/organizations/${seed.organizationId}/show`);
  const { page } = visitor;
  await page.getByRole('button', { name: 'View as tenant' }).click();
  await page.getByLabel('Reason').fill('A question about a disk.');
  await page.getByRole('dialog').getByRole('button', { name: 'View as tenant' }).click();
  const opened = visitor.context.waitForEvent('page');
  await page.getByRole('link', { name: 'Open' }).click();
  const tab = await opened;
  await tab.getByText(/^You are viewing admin_ann as admin_sup/).waitFor();
  await tab.goto(`${stage.gateway.consoleUrl}/develop/instance`);
  await tab.getByText('evaluation').first().waitFor();
  await tab.getByRole('link', { name: 'New instance', disabled: true }).waitFor();
  const token = await tab.evaluate<string>("Object.values(sessionStorage).find((kept) => kept.length > 20) ?? ''");
  expect(token).not.toBe('');
  await ownerIsTold('A question about a disk.');
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
