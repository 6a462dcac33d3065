// A domestic installation in one browser: the password before a provider, yuan, and the balance on billing pages alone.
import { ACCOUNT_ROUTES } from '@gantry/contract/areas/identity/account.ts';
import { expect } from '@jest/globals';
import { Person } from '../support/sign-up.ts';
import { PASSWORD, signUpByHand } from './sign-up-by-hand.ts';
import { setWebStage } from './web-stage.ts';

const { story } = setWebStage(
  '--market=domestic',
  '--billing-unit=¥',
  '--currency=CNY',
  '--oidc-issuer=https://login.example',
  '--oidc-client-id=gantry',
  '--oidc-name=Corp',
);
const PATIENCE_MS = 90_000;
const IMAGE = 'registry.gantry.internal/official/busybox:1.36';

story(
  'in the domestic market one registers by e-mail, starts an instance, and reads of money where one pays',
  async (web) => {
    const visitor = await web.visitor();
    const { page } = visitor;
    await page.goto('/login');
    const provider = page.getByRole('button', { name: 'Continue with Corp' });
    await provider.waitFor();
    const buttons = [page.getByRole('button', { name: 'Log in', exact: true }), provider];
    const [first, second] = await Promise.all(buttons.map((one) => one.boundingBox()));
    expect(first?.y).toBeLessThan(second?.y ?? 0);

    await signUpByHand(web, visitor, 'domestic_li');
    await page.waitForURL('**/home');
    const mine = { name: 'domestic_li', email: 'domestic_li@example.test', password: PASSWORD, accountId: '' };
    const person = new Person(mine, web.gateway.client);
    await person.login();
    const org = web.stage.adopt((await person.client.must(ACCOUNT_ROUTES.getMe)).org_id);
    await person.organizationReady();
    await web.verify(person);

    await visitor.goes('/home');
    await page.getByText('You have credit.').waitFor();
    expect(await page.getByText('Welcome to Gantry').count()).toBe(0);
    expect(await page.getByText('¥100.00').count()).toBe(0);

    await page.goto('/develop/instance/create?preset=tryIt');
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('domestic');
    await page.getByRole('combobox', { name: 'Image' }).fill(IMAGE);
    await page.getByRole('button', { name: 'Create and start' }).click();
    await page.waitForURL(/\/develop\/instance\/(?!create)[^/]+$/);
    const dev = org.known(page.url().split('/').at(-1) ?? '');
    await dev.isThere();
    await dev.reaches('running', PATIENCE_MS);
    await page
      .getByText(/¥[0-9.]+ \/ hour/)
      .first()
      .waitFor();

    await visitor.goes('/manage/billing');
    await page.getByText('¥100.00').first().waitFor();
    expect(await page.getByText(/\$[0-9]/).count()).toBe(0);
    await visitor.goes('/home');
    expect(await page.getByText(/¥(100|99)\./).count()).toBe(0);
  },
);
