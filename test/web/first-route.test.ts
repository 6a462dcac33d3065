// What a person gets before they have signed in: a page that is light, in order and complete, in each language and scheme.
import { expect } from '@jest/globals';
import { axeComplaints } from './axe.ts';
import { setWebStage } from './web-stage.ts';
import { scriptBytes } from './weight.ts';

const { story } = setWebStage();

/** Of all JavaScript that the first route loads, as brotli sends it. */
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
  await page.getByRole('button', { name: 'Sign in' }).waitFor();
  expect(await page.locator('html[data-begun]').count()).toBe(0);
});

for (const scheme of ['light', 'dark'] as const)
  story(`axe finds nothing on the login page, ${scheme}`, async (web) => {
    const visitor = await web.visitor({ scheme });
    await visitor.page.goto('/login', { waitUntil: 'networkidle' });
    await visitor.page.getByRole('heading', { level: 1 }).first().waitFor();
    expect(await axeComplaints(visitor)).toEqual([]);
  });
