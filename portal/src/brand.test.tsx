/** @jest-environment node */
// How the installation presents itself on a rendered page: name, logo, accent, footer and the number that the law wants.
import type { Brand } from '@gantry/contract/areas/portal/pages.ts';
import { expect, test } from '@jest/globals';
import { render } from './server.tsx';
import { SURROUNDINGS } from './testing/surroundings.ts';

const shown = (brand: Partial<Brand>) =>
  render({
    ...{ name: 'about', language: 'en', params: {}, query: {}, data: { readAbout: null, getSettings: null } },
    ...SURROUNDINGS,
    brand: { ...SURROUNDINGS.brand, ...brand },
  }).html;

test('name and logo are those of the installation, in the title and structured data, too', () => {
  const html = shown({ name: 'Cloud </title><script>', logo: '/logo-1.png' });
  expect(html).toContain('<title>About · Cloud &lt;/title&gt;&lt;script&gt;</title>');
  expect(html).toContain('<meta property="og:site_name" content="Cloud &lt;/title&gt;&lt;script&gt;">');
  expect(html).toContain('"name":"Cloud \\u003c/title>\\u003cscript>"');
  expect(html).toContain('"logo":"https://www.example.org/logo-1.png"');
  expect(html).toContain('<link rel="icon" href="/logo-1.png">');
  expect(html).not.toMatch(/Gantry|favicon/);
});

test('the accent is the colour of buttons and links', () => {
  expect(shown({ accent: '#aa0000' })).toContain('--mui-palette-primary-main:#aa0000');
  expect(shown({})).not.toContain('#aa0000');
});

test('the footer has the operator’s line and number', () => {
  const html = shown({ footer: 'Cloud Ltd <b>', legalNumber: '12345' });
  expect(html).toContain('<bdi>Cloud Ltd &lt;b&gt;</bdi>');
  expect(html).toContain('<bdi>12345</bdi>');
});

test.each([
  ['domestic', '京ICP备12345678号-1', true],
  ['domestic', '12345', false],
  ['overseas', '京ICP备12345678号-1', false],
] as const)('on a market that is %s, %s leads to the register: %s', (market, legalNumber, isLink) => {
  expect(shown({ market, legalNumber }).includes('href="https://beian.miit.gov.cn/"')).toBe(isLink);
});

test.each([
  ['Gantry', '/favicon.svg', 'https://www.example.org/preview.png'],
  ['Cloud', '/logo-1.png', 'https://www.example.org/logo-1.png'],
  ['Cloud', '/favicon.svg', undefined],
])('a link to %s with the logo %s is shown with %s', (name, logo, picture) => {
  expect(/<meta property="og:image" content="([^"]*)">/.exec(shown({ name, logo }))?.[1]).toBe(picture);
});
