/** @jest-environment node */
// The pages of addresses that have none: nothing is there, or what was there was taken off.
import type { PageInput } from '@gantry/contract/areas/portal/pages.ts';
import { expect, test } from '@jest/globals';
import { render } from './server.tsx';
import { SURROUNDINGS } from './testing/surroundings.ts';

test.each([
  ['notFound', 'en', 'Page not found'],
  ['gone', 'en', 'No longer published'],
  ['gone', 'zh', '已下架'],
  ['gone', 'ja', '公開を終了しました'],
] as const)('%s says so in %s, leads home, and is in no index', (name, language, title) => {
  const { html } = render({
    ...{ name, language, params: {}, query: {}, data: {} as PageInput['data'] },
    ...SURROUNDINGS,
  });
  expect(html).toContain(`<title>${title} · Gantry</title>`);
  expect(html).toContain('<meta name="robots" content="noindex">');
  expect(html).not.toContain('rel="canonical"');
  expect(html).toContain(`href="/${language}/home"`);
});
