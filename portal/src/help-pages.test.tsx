/** @jest-environment node */
// The help centre as the gateway renders it: a search without scripts, and what stands below an article.
import type { PageInput, PageName } from '@gantry/contract/areas/portal/pages.ts';
import { expect, test } from '@jest/globals';
import { render } from './server.tsx';
import { SURROUNDINGS } from './testing/surroundings.ts';

const TIME = '2026-11-22T10:00:00.000Z';
const page = (name: PageName, data: object, query: PageInput['query'] = {}) =>
  render({
    ...{ name, language: 'en', params: { slug: 'ssh' }, query, data: data as PageInput['data'] },
    ...SURROUNDINGS,
  });
const shown = (...of: Parameters<typeof page>) => page(...of).html;
const found = {
  ...{ slug: 'ssh', title: 'SSH and keys', published_at: TIME },
  found: { title_ranges: [[0, 3]], excerpt: 'Connect by <ssh>.', excerpt_ranges: [[11, 16]] },
};

test('a search marks what was found, and keeps its question', () => {
  const html = shown('helpCenter', { listArticles: [found] }, { q: 'ssh' });
  expect(html).toContain('<mark>SSH</mark> and keys');
  expect(html).toContain('Connect by <mark>&lt;ssh&gt;</mark>.');
  expect(html).toMatch(/<input[^>]*name="q"[^>]*value="ssh"/);
  expect(html).toContain('November 22, 2026');
});

test('a search that finds nothing says so, as does a help centre without articles', () => {
  expect(shown('helpCenter', { listArticles: [] }, { q: 'x' })).toContain('No article matches this search.');
  expect(shown('helpCenter', { listArticles: [] })).toContain('No article yet');
});

test('an article has its related ones, its day and its votes', () => {
  const html = shown('article', {
    readArticle: {
      ...{ slug: 'ssh', title: 'SSH', content: 'Text', published_at: TIME, helpful: { yes: 3, no: 1 } },
      related: [{ slug: 'keys', title: 'Keys', published_at: TIME }],
    },
  });
  expect(html).toContain('href="/en/helpCenter/keys"');
  expect(html).toContain('Related articles');
  expect(html).toContain('3 of 4 readers found it helpful.');
  expect(html).toContain('November 22, 2026');
});

test('a command in an article can be copied, and Markdown has it without the button', () => {
  const content = 'Log in:\n\n```bash run\nssh <name>\n```\n';
  const { html, markdown } = page('article', {
    readArticle: { slug: 'ssh', title: 'SSH', content, published_at: TIME, helpful: { yes: 0, no: 0 }, related: [] },
  });
  expect(html).toMatch(
    /<pre[^>]*tabindex="0"[^>]*><code[^>]*>ssh &lt;name&gt;\n<.code><.pre><button[^>]*data-copied="Copied"/,
  );
  expect(markdown).toContain('```\nssh <name>\n```');
  expect(markdown).not.toContain('Copy');
});
