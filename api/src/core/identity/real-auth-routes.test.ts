// The people who see others' identity pictures, beyond the cases of the organisation routes' test.
import { REAL_AUTH_ROUTES as R } from '@gantry/contract/areas/identity/real-auth.ts';
import { expect, test } from '@jest/globals';
import type { Call } from '../../platform/http/serve.ts';
import { realAuthRoutes } from './real-auth-routes.ts';

test.each([
  ['optional', false, true],
  ['required', true, true],
  ['required', false, false],
] as const)('a second factor %s and held: %s, an auditor sees pictures of others: %s', async (rule, has, sees) => {
  let asked: unknown;
  const pictures = {
    get: async (_id: string, who: unknown) => {
      asked = who;
      throw new Error('far enough');
    },
  };
  const routes = realAuthRoutes({
    realAuths: undefined as never,
    pictures: pictures as never,
    staffSecondFactor: rule,
  });
  const served = routes.find(({ route }) => route.id === R.getPicture.id);
  const caller = {
    account: { id: 'acc-aud', name: 'aud', platformRoles: ['auditManager'], hasSecondFactor: has },
    session: { kind: 'session' },
  };
  const call = { caller, params: { id: 'pic-1' }, audit: {} } as unknown as Call;
  await expect(served?.handler(call)).rejects.toThrow('far enough');
  expect(asked).toEqual({ accountId: 'acc-aud', mayAudit: sees });
});
