import { expect, test } from '@jest/globals';
import { isPodAddress } from './upstream.ts';

test.each([
  ['10.80.0.5', true],
  ['172.16.3.4', true],
  ['100.64.0.1', true],
  ['fd00:10:244::5', true],
  ['2001:db8::1', true],
  ['0.0.0.0', false],
  ['127.0.0.1', false],
  ['169.254.169.254', false],
  ['224.0.0.1', false],
  ['255.255.255.255', false],
  ['::', false],
  ['::1', false],
  ['fe80::1', false],
  ['ff02::1', false],
  ['fec0::1', false],
  ['::a50:5', false],
  ['64:ff9b::a50:5', false],
  ['64:ff9b:1::a50:5', false],
  ['2002:a50:5::1', false],
  ['2001:0:a50:5::1', false],
  ['::ffff:0:a50:5', false],
  ['::ffff:169.254.169.254', false],
  ['::ffff:10.80.0.5', false],
  ['localhost', false],
  ['', false],
])('whether %s can be a Pod’s address: %s', (ip, is) => {
  expect(isPodAddress(ip)).toBe(is);
});
