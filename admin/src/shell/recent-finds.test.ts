import { forgetSession, storeSession } from '@gantry/ui/session/session.ts';
import { expect, test } from '@jest/globals';
import { forgetFinds, keepFind, readFinds } from './recent-finds.ts';

const signIn = (accountId: string) => storeSession({ token: 'tok', accountId, organizationId: 'acme' });
const ANN = { resource: 'users', id: 'acc-9', title: 'ann', text: '' } as const;

test('another account does not see what was found, and the end of the session forgets all of it', () => {
  signIn('acc-1');
  keepFind(ANN);
  expect(readFinds()).toEqual([ANN]);
  signIn('acc-2');
  expect(readFinds()).toEqual([]);
  forgetSession();
  forgetFinds();
  signIn('acc-1');
  expect(readFinds()).toEqual([]);
});
