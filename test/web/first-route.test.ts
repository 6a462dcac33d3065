// A person's first page before login: light, in order and complete, in each language and scheme.
import { expect } from '@jest/globals';
import { axeComplaints } from './axe.ts';
import { setWebStage } from './web-stage.ts';
import { scriptBytes } from './weight.ts';

const { story } = setWebStage();

/** The limit for all JavaScript that the first route loads, compressed with brotli. */
const MOST_BYTES = 200_000;

story('the login page is light', async (web) => {
  const visitor = await web.visitor();
  const bytes = await scriptBytes(visitor.page, '/login');
  expect(bytes).toBeGreaterThan(10_000);
  expect(bytes).toBeLessThanOrEqual(MOST_BYTES);
});

story('a page that something on the way has changed starts all the same', async (web) => {
  const visitor = await web.visitor();
  const { page } = visitor;
  // As a box that adds or takes away a space: the policy knows the inline script no more.
  await page.route('**/login', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: (await response.text()).replace('<script>', '<script> ') });
  });
  visitor.expects(/Content Security Policy/);
  await page.goto('/login');
  await page.getByRole('button', { name: 'Log in' }).waitFor();
});

story('a program that cannot be loaded says so, with a way to try again', async (web) => {
  const visitor = await web.visitor();
  const { page } = visitor;
  const isProgram = /\/assets\/.*\.js$/;
  await page.route(isProgram, (route) => route.abort());
  visitor.expects(/ERR_FAILED/);
  await page.goto('/login?from=%2Fmanage%2Fbilling');
  const alert = page.getByRole('alert');
  for (const sentence of ['The console could not be loaded.', '控制台加载失败。', 'コンソールを読み込めませんでした。'])
    await alert.getByText(sentence).waitFor();
  await page.unroute(isProgram);
  await alert.getByRole('link', { name: 'Load again · 重新加载 · 再読み込み' }).click();
  await page.getByRole('button', { name: 'Log in' }).waitFor();
  expect(new URL(page.url()).searchParams.get('from')).toBe('/manage/billing');
});

story('the splash has the scheme that was chosen, and else the system’s', async (web) => {
  const { page } = await web.visitor({ scheme: 'light' });
  // Held back, so that the splash stays.
  await page.route(/\/assets\/.*\.js$/, () => {});
  const backgroundOf = async (mode: string) => {
    await page.evaluate(`localStorage.setItem('mui-mode', '${mode}')`);
    await page.reload({ waitUntil: 'commit' });
    await page.getByText('Log in', { exact: true }).waitFor();
    return page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
  };
  await page.goto('/login', { waitUntil: 'commit' });
  await page.getByText('Log in', { exact: true }).waitFor();
  const [light, dark] = ['rgb(249, 249, 251)', 'rgb(11, 12, 16)'];
  expect([await backgroundOf('system'), await backgroundOf('dark')]).toEqual([light, dark]);
  await page.emulateMedia({ colorScheme: 'dark' });
  expect([await backgroundOf('system'), await backgroundOf('light')]).toEqual([dark, light]);
});

story(
  'the splash says what the page will say, in the person’s language, unless they must log in first',
  async (web) => {
    const { page } = await web.visitor({ language: 'ja' });
    await page.route(/\/assets\/.*\.js$/, () => {});
    await page.goto('/login', { waitUntil: 'commit' });
    await page.locator('[aria-busy] .title', { hasText: 'ログイン' }).waitFor();
    await page.goto('/gpu/storage', { waitUntil: 'commit' });
    await page.getByText('Gantry', { exact: true }).waitFor();
    expect(await page.locator('[aria-busy] .title').count()).toBe(0);
    await page.context().addCookies([{ name: 'gantry_token', value: 'any', url: page.url() }]);
    await page.reload({ waitUntil: 'commit' });
    await page.locator('[aria-busy] .title', { hasText: 'ストレージ' }).waitFor();
  },
);

for (const scheme of ['light', 'dark'] as const)
  story(`axe finds nothing on the login page, ${scheme}`, async (web) => {
    const visitor = await web.visitor({ scheme });
    await visitor.page.goto('/login', { waitUntil: 'networkidle' });
    await visitor.page.getByRole('heading', { level: 1 }).first().waitFor();
    expect(await axeComplaints(visitor)).toEqual([]);
  });
