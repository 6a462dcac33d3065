/** @jest-environment-options {"url": "https://console.example.com/"} */
// Over TLS the cookies of sessions have the prefixes that browsers hold to.
import { expect, test } from '@jest/globals';
import { forgetSession, keepSessionApart, readToken, storeSession } from './session.ts';

const session = { token: 'abc', accountId: 'ann', organizationId: 'acme' };

/** Every cookie that is set, as it was written. */
function written(work: () => void): string[] {
  const set: string[] = [];
  const own = Object.getOwnPropertyDescriptor(Document.prototype, 'cookie') as PropertyDescriptor;
  Object.defineProperty(document, 'cookie', {
    configurable: true,
    get: () => own.get?.call(document),
    set: (text: string) => {
      set.push(text);
      own.set?.call(document, text);
    },
  });
  work();
  Reflect.deleteProperty(document, 'cookie');
  return set;
}

test('the web apps share it as one of secure pages, for their parent domain', () => {
  const [cookie] = written(() => storeSession(session));
  expect(cookie).toBe('__Secure-gantry_token=abc; Path=/; SameSite=Lax; Secure; Domain=example.com');
  expect(readToken()).toBe('abc');
  forgetSession();
  expect([readToken(), document.cookie]).toEqual([undefined, '']);
});

test('an app that keeps apart has one of its host alone', () => {
  keepSessionApart('admin');
  const [cookie, ...others] = written(() => storeSession(session));
  expect([cookie, others]).toEqual(['__Host-gantry_admin_token=abc; Path=/; SameSite=Lax; Secure', []]);
  expect(readToken()).toBe('abc');
  forgetSession();
  expect([readToken(), document.cookie]).toEqual([undefined, '']);
});
