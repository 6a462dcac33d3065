import { expect, test } from '@jest/globals';
import { contactLink, linkOf } from './contact-link.ts';

test.each([
  ['an e-mail address', 'help@example.com', 'mailto:help@example.com'],
  ['a web page', ' https://example.com/support ', 'https://example.com/support'],
  ['a phone number', '+1 (202) 555-0100', 'tel:+12025550100'],
  ['a link that was written out', 'mailto:help@example.com', 'mailto:help@example.com'],
  ['plain words are shown, not opened', 'Room 12', undefined],
  ['a script is never opened', 'javascript:alert(1)', undefined],
  ['nothing', '', undefined],
])('%s', (_, contact, link) => {
  expect(linkOf(contact)).toBe(link);
});

test.each([
  ['nothing set is our own page', '', { href: '/contact' }],
  [
    'a site opens beside the console',
    'https://example.com/help',
    { href: 'https://example.com/help', target: '_blank', rel: 'noopener' },
  ],
  ['a mailbox', 'help@example.com', { href: 'mailto:help@example.com' }],
  ['plain words are read on our own page', 'Room 12', { href: '/contact' }],
])('a link of the settings: %s', (_, contact, link) => {
  expect(contactLink(contact, '/contact')).toEqual(link);
});
