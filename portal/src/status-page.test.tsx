/** @jest-environment node */
// The status page as the gateway renders it: components, days and incidents, whole without scripts.
import type { PageInput } from '@gantry/contract/areas/portal/pages.ts';
import type { StatusView } from '@gantry/contract/areas/portal/status.ts';
import { expect, test } from '@jest/globals';
import { render } from './server.tsx';
import { SURROUNDINGS } from './testing/surroundings.ts';

const AT = '2026-11-22T10:00:00.000Z';
const shown = (readStatus: StatusView | null, language: PageInput['language'] = 'en') =>
  render({ ...{ name: 'status', language, params: {}, query: {}, data: { readStatus } }, ...SURROUNDINGS }).html;
const component = (id: StatusView['components'][number]['id'], state: 'up' | 'down' | 'unknown') => ({
  ...{ id, state, percent: 99.5, checks: 200, passed: 199 },
  days: [{ day: '2026-11-22', percent: 99.5 }],
});
const incident = (state: 'investigating' | 'resolved') => ({
  ...{ id: `inc-${state}`, title: `Slow <b> ${state}`, state, components: ['payments' as const], started_at: AT },
  resolved_at: state === 'resolved' ? AT : null,
  updates: [{ at: AT, state, text: 'We look.\n<script>x</script>' }],
});

test('all that works is said, with the figure of each component and its formula', () => {
  const html = shown({ components: [component('gateway', 'up'), component('mail', 'up')], incidents: [] });
  expect(html).toContain('Everything is working.');
  expect(html).toContain('99.5% over 1 day: 199 of 200 checks succeeded.');
  expect(html).toContain('minutes without a check are not counted');
  expect(html).toContain('No incident in the last 90 days.');
  expect(html).toContain('href="/en/status.xml"');
  expect(html).not.toContain('id="page"');
});

test.each([
  ['down', [component('gateway', 'up'), component('mail', 'down')], 'Some components are not working.'],
  ['unknown', [component('gateway', 'unknown')], 'No component has been checked recently.'],
  ['never checked', [], 'No check has been made yet.'],
] as const)('a component that is %s is said', (_, components, sentence) => {
  expect(shown({ components: [...components], incidents: [] })).toContain(sentence);
});

test('incidents are text, the open ones first, in each language', () => {
  const status = {
    components: [component('gateway', 'up')],
    incidents: [incident('resolved'), incident('investigating')],
  };
  const html = shown(status, 'zh');
  expect(html).toContain('当前有事件正在处理。');
  expect(html.indexOf('inc-investigating')).toBeLessThan(html.indexOf('inc-resolved'));
  expect(html).toContain('Slow &lt;b&gt; investigating');
  expect(html).not.toContain('<script>x');
  expect(html).toContain('2026年11月22日 10:00');
});

test('a status that cannot be read is said', () => expect(shown(null)).toContain('cannot be loaded'));
