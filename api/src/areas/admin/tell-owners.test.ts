// Whom an organisation's owners are told of, and that a failure to tell stays here.
import { turns } from '@gantry/kube/testing/stepped-clock.ts';
import { expect, test } from '@jest/globals';
import { ownersTold } from './tell-owners.ts';

const PROPOSED = {
  ...{ accountId: 'acc-1', person: 'pupil-20', staff: 'ann' },
  ...{ organization: { id: 'acme', name: 'Acme' }, role: 'member' as const },
};

test('the owners get one message for each person', () => {
  const sent: unknown[] = [];
  ownersTold({ send: async (...of: unknown[]) => void sent.push(of) } as never, { error: () => undefined })(PROPOSED);
  expect(sent).toEqual([
    [
      expect.objectContaining({
        key: 'imported/acc-1',
        args: expect.objectContaining({ person: 'pupil-20', staff: 'ann', organization: 'Acme' }),
      }),
      { organization: 'acme', roles: ['owner'] },
    ],
  ]);
});

test('a message that cannot be sent is logged, and nobody else hears of it', async () => {
  const logged: object[] = [];
  const send = async () => {
    throw new Error('the database is away');
  };
  ownersTold({ send } as never, { error: (facts) => void logged.push(facts) })(PROPOSED);
  await turns();
  expect(logged).toEqual([expect.objectContaining({ accountId: 'acc-1' })]);
});
