// Other people at the console: one who may only look, one who was invited, one who reads Japanese, one with a phone, one whose
// network fails. Each has their own browser; nobody may see an error that the story does not name.
import { ACCOUNT_ROUTES } from '@gantry/contract/areas/identity/account.ts';
import { ORGANIZATION_ROUTES } from '@gantry/contract/areas/identity/organization.ts';
import { KIND_ROUTES } from '@gantry/contract/http/kind-routes.ts';
import { beforeAll, expect } from '@jest/globals';
import { eventually } from '../support/eventually.ts';
import { type Person, signUp } from '../support/sign-up.ts';
import { inTurn } from '../support/soak.ts';
import { axeComplaints } from './axe.ts';
import { addCard, isWelcomed } from './seed.ts';
import { signInByHand } from './sign-up-by-hand.ts';
import { PHONE, SMALL_PHONE } from './visitor.ts';
import { setWebStage } from './web-stage.ts';

const { story, web } = setWebStage();
const PATIENCE_MS = 90_000;
const SMALL = {
  image: 'registry.gantry.internal/official/busybox:1.36',
  cores: 0.1,
  memoryGi: 0.125,
  homeDisk: { sizeGi: 1 },
};
const WORK = 'shared_work';
let owner: Person;
let organizationId: string;
let instance: string;

beforeAll(async () => {
  const { person, org } = await web().tenant('people_ann');
  owner = person;
  organizationId = org.id;
  await web().verify(owner);
  ({ id: instance } = await owner.client.must(KIND_ROUTES.gpuInstance.create, {
    body: { displayName: WORK, ...SMALL },
  }));
  await eventually(
    'it runs',
    async () => {
      const { status } = await owner.client.must(KIND_ROUTES.gpuInstance.read, { params: { id: instance } });
      return status === 'running' || Promise.reject(new Error(status));
    },
    PATIENCE_MS,
  );
});

/** Somebody who also has an organisation of their own. */
async function somebody(name: string): Promise<Person> {
  const { gateway, mailbox, stage } = web();
  const person = await signUp(gateway.client, mailbox, name);
  const { org_id } = await person.client.must(ACCOUNT_ROUTES.getMe);
  stage.adopt(org_id);
  await person.organizationReady();
  await isWelcomed(person, org_id);
  return person;
}

story('who may only look sees all, can press nothing, and no address opens what is not theirs', async (stage) => {
  const viewer = await somebody('people_ron');
  const members = [{ account: viewer.name, role: 'viewer' } as const];
  await owner.client.must(ORGANIZATION_ROUTES.inviteMembers, { params: { org_id: organizationId }, body: { members } });
  await viewer.join(organizationId);
  const visitor = await stage.visitor();
  const { page } = visitor;
  await visitor.isSignedInAs(viewer, organizationId);

  await visitor.goes('/develop/instance');
  await page.getByRole('link', { name: 'New instance', disabled: true }).waitFor();
  expect(await page.getByRole('navigation').getByRole('link', { name: 'Billing' }).count()).toBe(0);
  await page.getByRole('link', { name: WORK }).click();
  await page.getByRole('heading', { level: 1, name: WORK }).waitFor();
  // For a person without rights, the API names no actions.
  expect(await page.getByRole('button', { name: 'Stop', exact: true }).count()).toBe(0);
  await page.getByRole('tab', { name: 'Access' }).click();
  await page.getByRole('button', { name: 'Terminal', exact: true, disabled: true }).waitFor();
  expect(await page.getByText('You can log in while it runs.').count()).toBe(0);

  await page.goto('/develop/instance/create');
  await page.getByRole('button', { name: 'Create and start', disabled: true }).waitFor();
  await page.goto('/manage/billing');
  await page.waitForURL('**/404');
  await page.getByRole('heading', { name: 'Page not found' }).waitFor();
});

story('a colleague who is invited registers, accepts, and lands among what is there', async (stage) => {
  const email = 'people_cleo@example.test';
  const host = await stage.visitor();
  await host.isSignedInAs(owner, organizationId);
  await host.goes('/manage/organization/members');
  await host.page.getByRole('button', { name: 'Invite people' }).click();
  const dialog = host.page.getByRole('dialog');
  await dialog.getByLabel('Names or e-mail addresses').fill(email);
  await dialog.getByRole('button', { name: 'Invite', exact: true }).click();
  await dialog.getByText('Invited', { exact: true }).waitFor();
  const { text = '' } = await stage.mailbox.newest(email, /invites you/);

  const colleague = await somebody('people_cleo');
  const guest = await stage.visitor();
  const { page } = guest;
  const [address = ''] = /https?:\/\/\S+/.exec(text) ?? [];
  const { pathname, search, hash } = new URL(address);
  await page.goto(`${pathname}${search}${hash}`);
  await page.getByLabel('E-mail address').waitFor();
  expect(await page.getByLabel('E-mail address').inputValue()).toBe(email);
  await signInByHand(guest, colleague.name);
  await page.waitForURL('**/home');
  await page.getByRole('button', { name: /^Organisation: / }).click();
  await page.getByRole('menuitem', { name: 'Invitations (1)' }).click();
  await page.getByRole('button', { name: 'Accept the invitation to people_ann' }).click();
  await page.getByRole('button', { name: /^Organisation: people_ann/ }).waitFor();
  await guest.goes('/develop/instance');
  await page.getByRole('link', { name: WORK }).waitFor();
  await page.getByRole('link', { name: 'New instance', disabled: false }).waitFor();
});

story('who starts without credit pays exactly what is missing, and is back at the form', async (stage) => {
  const poor = await somebody('people_gus');
  await addCard(poor, stage.double.url);
  const { org_id } = await poor.client.must(ACCOUNT_ROUTES.getMe);
  const visitor = await stage.visitor();
  const { page } = visitor;
  await visitor.isSignedInAs(poor, org_id);
  await visitor.goes('/develop/instance/create?preset=tryIt');
  const name = page.getByRole('textbox', { name: 'Name', exact: true });
  await name.fill('kept_name');
  await page.getByRole('combobox', { name: 'Image' }).fill(SMALL.image);
  await page.getByRole('alert').getByRole('link', { name: 'Top up' }).click();
  await page.getByText(/ more to continue\.$/).waitFor();
  // The least that can be paid at once, not the usual 20.
  expect(await page.getByRole('textbox', { name: 'Amount' }).inputValue()).toBe('1');
  await page.getByRole('button', { name: 'Continue to payment' }).click();
  await page.waitForURL('**/develop/instance/create?preset=tryIt');
  await page.getByText('$1.00 paid. Continue where you were.').waitFor();
  expect(await name.inputValue()).toBe('kept_name');
  await page.getByRole('button', { name: 'Create and start' }).click();
  await page.waitForURL(/\/develop\/instance\/(?!create)[^/]+$/);
});

story('a person in Japanese reads Japanese', async (stage) => {
  const visitor = await stage.visitor({ language: 'ja' });
  const { page } = visitor;
  await page.goto('/login');
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  expect(await page.locator('html').getAttribute('lang')).toBe('ja');
  await visitor.isSignedInAs(owner, organizationId);
  for (const path of ['/home', '/develop/instance', '/manage/billing', '/manage/account']) {
    await visitor.goes(path);
    const title = await page.getByRole('heading', { level: 1 }).first().innerText();
    expect(`${path}: ${title}`).toMatch(/[\u3040-\u30ff\u4e00-\u9fff]/);
  }
});

const PHONES = [
  [PHONE, 'en'],
  [SMALL_PHONE, 'en'],
  [PHONE, 'ja'],
] as const;

for (const [viewport, language] of inTurn('phones', PHONES, PHONES.length))
  story(`a person with a phone, ${viewport.width} wide, in "${language}", never scrolls sideways`, async (stage) => {
    const visitor = await stage.visitor({ viewport, language, hasTouch: true });
    await visitor.isSignedInAs(owner, organizationId);
    const beyond: Record<string, number> = {};
    for (const path of [
      '/home',
      '/develop/instance',
      `/develop/instance/${instance}`,
      `/develop/instance/${instance}/access`,
      `/develop/instance/${instance}/history`,
      `/develop/instance/${instance}/settings`,
      '/develop/instance/create',
      '/gpu/nodes',
      '/gpu/storage',
      '/manage/billing',
      '/manage/billing/transactions',
      '/manage/organization/members',
    ]) {
      await visitor.goes(path);
      const px = await visitor.page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
      if (px > 0) beyond[path] = px;
    }
    expect(beyond).toEqual({});
    expect(await axeComplaints(visitor)).toEqual([]);
  });

story(
  'whoever loses the network is told, keeps what was typed, and sees what went on when it is back',
  async (stage) => {
    const visitor = await stage.visitor();
    const { page, context } = visitor;
    visitor.expects(/ERR_INTERNET_DISCONNECTED/);
    const rename = (displayName: string) =>
      owner.client.must(KIND_ROUTES.gpuInstance.change, { params: { id: instance }, body: { displayName } });
    await visitor.isSignedInAs(owner, organizationId);
    await visitor.goes('/develop/instance/create');
    const name = page.getByRole('textbox', { name: 'Name', exact: true });
    await name.fill('kept_on_the_way');
    const list = await context.newPage();
    await list.goto('/develop/instance');
    await list.getByRole('link', { name: WORK }).waitFor();

    await context.setOffline(true);
    await page.getByText(/You are offline/).waitFor();
    await rename('meanwhile');
    await context.setOffline(false);
    await page.getByText(/You are offline/).waitFor({ state: 'detached' });
    await list.getByRole('link', { name: 'meanwhile' }).waitFor();
    // Later changes can only have come through the stream.
    await rename('live_again');
    await list.getByRole('link', { name: 'live_again' }).waitFor();
    expect(await name.inputValue()).toBe('kept_on_the_way');
  },
);
