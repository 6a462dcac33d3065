/** @jest-environment node */
// The API reference as the gateway renders it: whole without scripts, in the reader's language, and as Markdown.
import type { ApiAreaView } from '@gantry/contract/areas/portal/api-reference.ts';
import type { PageInput, PageName } from '@gantry/contract/areas/portal/pages.ts';
import { ROUTES } from '@gantry/contract/http/routes.ts';
import { expect, test } from '@jest/globals';
import { render } from './server.tsx';
import { SURROUNDINGS } from './testing/surroundings.ts';
import { words } from './words/en.ts';

const shown = (name: PageName, data: object, language: PageInput['language'] = 'en') =>
  render({
    ...{ name, language, params: { area: 'instance' }, query: {}, data: data as PageInput['data'] },
    ...SURROUNDINGS,
  });
const none = { items: [], more: 0 };
const AREA: ApiAreaView = {
  area: 'instance',
  calls: [
    {
      ...{ id: 'createInstance', method: 'POST', path: '/api/develop/v1/instance', summary: 'Makes one.' },
      ...{ needs: 'right', right: 'use', path_fields: none, query_fields: none, header_fields: none },
      body: {
        type: 'application/json',
        items: [{ name: 'gpu.model', type: '"a" | "b<c>"', is_required: true, description: 'The model.' }],
        more: 3,
      },
      answer: {
        ...{ status: 201, type: 'application/json', more: 0 },
        items: [{ name: 'result.id', type: 'string', is_required: true, description: null }],
      },
      errors: [{ status: 402, code: 'not_enough_credit', message: 'Top up.' }],
    },
  ],
};

test('an area shows each call with what it needs, its fields, its answer and its errors', () => {
  const { html, markdown } = shown('apiArea', { readApiArea: AREA });
  expect(html).toContain('Needs the right <code>use</code>.');
  expect(html).toContain('<code>&quot;a&quot; | &quot;b&lt;c&gt;&quot;</code>');
  expect(html).toContain('href="#createInstance"');
  expect(html).toContain('and 3 more fields in the OpenAPI document');
  expect(markdown).toContain('## POST /api/develop/v1/instance');
  expect(markdown).toContain('| `gpu.model` (required) | `"a" \\| "b<c>"` | The model. |');
  expect(markdown).toContain('| `result.id` | `string` |  |');
  const regions = [...html.matchAll(/role="region" aria-label="([^"]*)"|aria-label="([^"]*)"[^>]*role="region"/g)].map(
    (one) => one[1] ?? one[2],
  );
  expect(regions.length).toBeGreaterThan(2);
  expect(new Set(regions).size).toBe(regions.length);
  expect(markdown).toContain('| 402 | `not_enough_credit` | Top up. |');
});

test.each([
  ['zh', '需要 <code>use</code> 权限。', '实例'],
  ['ja', '<code>use</code> の権限が必要です。', 'インスタンス'],
] as const)('in %s the frame is in that language', (language, needs, title) => {
  const { html } = shown('apiArea', { readApiArea: AREA }, language);
  expect(html).toContain(needs);
  expect(html).toMatch(new RegExp(`<h1[^>]*><bdi>${title}</bdi>`));
});

test('the first page leads to each area, and says when there is nothing to show', () => {
  const errors = [{ status: 429, code: 'too_many_requests', message: 'Wait.' }];
  const { html } = shown('apiReference', { listApiAreas: { areas: [{ area: 'instance', calls: 17 }], errors } });
  expect(html).toContain('href="/en/apiReference/instance"');
  expect(html).toContain('too_many_requests');
  expect(shown('apiReference', { listApiAreas: null }).html).toContain('cannot be loaded');
});

test.each([
  ['en', ['v1', 'data', 'instance', 'portal']],
  ['zh', ['portal', 'v1', 'instance', 'data']],
] as const)('areas stand by their names in %s', (language, areas) => {
  const { html } = shown(
    'apiReference',
    { listApiAreas: { areas: areas.toSorted().map((area) => ({ area, calls: 1 })), errors: [] } },
    language,
  );
  expect([...html.matchAll(/apiReference\/(\w+)"/g)].map(([, area]) => area).slice(0, 4)).toEqual(areas);
});

test('every area has a name', () => {
  const tags = new Set(Object.values(ROUTES).map(({ tag }) => tag));
  tags.delete('admin');
  expect(Object.keys(words.api.areas).toSorted()).toEqual([...tags, 'v1'].toSorted());
});
