import { expect, test } from '@jest/globals';
import { nextPath, withNext } from './next-path.ts';

const ORIGIN = 'https://console.example.com';

test.each([
  ['none is home', null, '/home'],
  ['a page of ours, with its filter', '/develop/instance?status=running#top', '/develop/instance?status=running#top'],
  ['another site', 'https://evil.example/home', '/home'],
  ['another site without a scheme', '//evil.example/home', '/home'],
  ['another site by backslashes', '/\\evil.example', '/home'],
  ['another site by a tab that browsers drop', '/\t/evil.example', '/home'],
  ['another site by dots that are taken out', '/.//evil.example', '/home'],
  ['our own site, written out, is no path', 'https://console.example.com/home/', '/home'],
  ['a script', 'javascript:alert(1)', '/home'],
  ['a path without a slash', 'develop/instance', '/home'],
  ['back to signing in, which would never end', '/login?next=/home', '/home'],
  ['nothing', '', '/home'],
])('%s', (_, next, path) => {
  expect(nextPath(next, ORIGIN)).toBe(path);
});

test('on the way to registering, the wish is kept', () => {
  expect(withNext('/register', '/develop/instance?a=b')).toBe('/register?next=%2Fdevelop%2Finstance%3Fa%3Db');
  expect(withNext('/register', null)).toBe('/register');
});
