/** @jest-environment node */
// Contact, terms and privacy as the gateway renders them: what staff wrote, or what the product says until then.
import type { PageInput, PageName } from '@gantry/contract/areas/portal/pages.ts';
import { expect, test } from '@jest/globals';
import { render } from './server.tsx';
import { SURROUNDINGS } from './testing/surroundings.ts';

const shown = (name: PageName, data: object, language: PageInput['language'] = 'en') =>
  render({ ...{ name, language, params: {}, query: {}, data: data as PageInput['data'] }, ...SURROUNDINGS }).html;
const WRITTEN = {
  slug: 'x',
  title: 'Ours',
  content: '## First\n\n<script>x</script>',
  published_at: '2026-11-22T10:00:00Z',
};

test.each([
  ['terms', 'readTerms', 'en', '1. The service', 'is not legal advice'],
  ['terms', 'readTerms', 'zh', '1. 服务内容', '不构成法律意见'],
  ['privacy', 'readPrivacy', 'en', 'Visitors of the portal', 'no third party learns of your visit'],
  ['privacy', 'readPrivacy', 'ja', 'ポータルを閲覧する方', 'Cookie'],
] as const)('%s that nobody has written (%s, %s) is the general text', (name, call, language, heading, text) => {
  const html = shown(name, { [call]: null }, language);
  expect(html).toContain(heading);
  expect(html).toContain(text);
});

test.each(['contact', 'terms', 'privacy'] as const)('%s is what staff wrote, without HTML', (name) => {
  const call = { contact: 'readContact', terms: 'readTerms', privacy: 'readPrivacy' }[name];
  const html = shown(name, { [call]: WRITTEN, getSettings: null });
  expect(html).toContain('>Ours</bdi>');
  expect(html).toContain('id="first"');
  expect(html).not.toMatch(/<script>x|legal advice/);
});

test('contact has the addresses of the settings, each once', () => {
  const settings = { contact: 'help@example.com', support: 'help@example.com', community: 'javascript:alert(1)' };
  const html = shown('contact', { readContact: null, getSettings: settings });
  expect(html.match(/href="mailto:help@example.com"/g)).toHaveLength(1);
  expect(html).not.toContain('href="javascript:');
  expect(shown('contact', { readContact: null, getSettings: { contact: '', support: '', community: '' } })).toContain(
    'has not set a contact',
  );
});

test('the footer of each page leads there', () => {
  const html = shown('about', { readAbout: null, getSettings: null }, 'ja');
  for (const path of ['/ja/contact', '/ja/terms', '/ja/privacy']) expect(html).toContain(`href="${path}"`);
});
