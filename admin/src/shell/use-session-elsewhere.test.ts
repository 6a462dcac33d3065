import { storeSession } from '@gantry/ui/session/session.ts';
import { expect, jest, test } from '@jest/globals';
import { renderHook } from '@testing-library/react';
import { keepFind, readFinds } from './recent-finds.ts';

const leaveAtOnce = jest.fn();
const holding = await import('@gantry/ui/session/hold-reload.ts');
jest.unstable_mockModule('@gantry/ui/session/hold-reload.ts', () => ({ ...holding, leaveAtOnce }));
const { useSessionElsewhere } = await import('./use-session-elsewhere.ts');

test('the page starts again when another tab signs in or out', () => {
  storeSession({ token: 'tok', accountId: 'acc-1', organizationId: 'acme' });
  keepFind({ resource: 'users', id: 'acc-9', title: 'ann', text: '' });
  const { unmount } = renderHook(useSessionElsewhere);
  dispatchEvent(new StorageEvent('storage', { key: 'mui-mode' }));
  expect(leaveAtOnce).not.toHaveBeenCalled();
  dispatchEvent(new StorageEvent('storage', { key: 'gantry_account_id' }));
  expect(leaveAtOnce).toHaveBeenCalledTimes(1);
  expect(readFinds()).toEqual([]);
  unmount();
});
