import { expect, test } from '@jest/globals';
import { deviceOf } from './device-of.ts';

const WEBKIT = 'AppleWebKit/537.36 (KHTML, like Gecko)';

test.each([
  [
    'Chrome on Windows',
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/131.0.0.0 Safari/537.36`,
    'Chrome 131',
    'Windows',
    false,
  ],
  [
    'Edge names Chrome, too',
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/131.0.0.0 Safari/537.36 Edg/131.0.2903.51`,
    'Edge 131',
    'Windows',
    false,
  ],
  [
    'Opera names Chrome, too',
    `Mozilla/5.0 (X11; Linux x86_64) ${WEBKIT} Chrome/130.0.0.0 Safari/537.36 OPR/115.0.0.0`,
    'Opera 115',
    'Linux',
    false,
  ],
  [
    'Safari on a Mac',
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15',
    'Safari 18',
    'macOS',
    false,
  ],
  [
    'Safari on a phone says it is like a Mac',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1',
    'Safari 18',
    'iOS',
    true,
  ],
  [
    'Chrome on a phone of Apple',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/131.0.6778.73 Mobile/15E148 Safari/604.1',
    'Chrome 131',
    'iOS',
    true,
  ],
  [
    'Android is a Linux, too',
    `Mozilla/5.0 (Linux; Android 10; K) ${WEBKIT} Chrome/131.0.0.0 Mobile Safari/537.36`,
    'Chrome 131',
    'Android',
    true,
  ],
  [
    'a tablet with Samsung’s browser',
    `Mozilla/5.0 (Linux; Android 14; SM-X700) ${WEBKIT} SamsungBrowser/26.0 Chrome/122.0.0.0 Safari/537.36`,
    'Samsung Internet 26',
    'Android',
    true,
  ],
  [
    'Firefox on Linux',
    'Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0',
    'Firefox 132',
    'Linux',
    false,
  ],
  [
    'a Chromebook',
    `Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${WEBKIT} Chrome/131.0.0.0 Safari/537.36`,
    'Chrome 131',
    'ChromeOS',
    false,
  ],
  ['a command line', 'curl/8.11.0', 'curl 8', undefined, false],
  ['a program of Node.js', 'node', 'Node.js', undefined, false],
])('%s', (_, userAgent, browser, system, isMobile) => {
  expect(deviceOf(userAgent)).toEqual({ browser, system, isMobile });
});

test.each([
  ['nothing was sent', null],
  ['it says nothing that is known', 'my-script'],
])('where %s, nothing is made up', (_, userAgent) => {
  expect(deviceOf(userAgent)).toEqual({ isMobile: false });
});
