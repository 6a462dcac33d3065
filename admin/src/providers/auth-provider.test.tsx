// A session that ends under a page: what was refused is never taken as accepted.
import { Api } from '@gantry/ui/client/api.ts';
import { newQueryClient } from '@gantry/ui/client/use-api.tsx';
import { readToken, storeSession } from '@gantry/ui/session/session.ts';
import { playAnswers, playedRefusal } from '@gantry/ui/testing/played-app.tsx';
import { expect, jest, test } from '@jest/globals';
import { render, waitFor } from '@testing-library/react';
import { CoreAdminContext, useDataProvider } from 'react-admin';
import { MemoryRouter } from 'react-router';
import { keepFind, readFinds } from '../shell/recent-finds.ts';
import { type AdminData, adminData } from './data-provider.ts';

const leaveAtOnce = jest.fn();
const holding = await import('@gantry/ui/session/hold-reload.ts');
jest.unstable_mockModule('@gantry/ui/session/hold-reload.ts', () => ({ ...holding, leaveAtOnce }));
const { staffAuth } = await import('./auth-provider.ts');

const { answer } = playAnswers();
const FAILURES = { network: 'No network.', timed_out: 'Too late.', bad_answer: 'No answer of ours.' };
const api = new Api({ token: readToken, language: 'en', failures: FAILURES });
const staff = { id: 'acc-1', name: 'sam', nodes: new Set<string>() };

/** The answer as the program's own proxy passes it on. */
function settled(status: number): { answers: string[] } {
  const answers: string[] = [];
  answer('POST /api/admin/nodes/n1/drain', { ...playedRefusal('unauthorized', 'Sign in again.'), status });
  let isSent = false;
  function Sender() {
    const data = useDataProvider<AdminData>();
    if (!isSent) {
      isSent = true;
      data.ask('nodes/n1/drain', { method: 'POST' }).then(
        (said) => answers.push(JSON.stringify(said)),
        ({ message }: Error) => answers.push(message),
      );
    }
    return null;
  }
  render(
    <MemoryRouter>
      <CoreAdminContext
        dataProvider={adminData(api)}
        authProvider={staffAuth(api, staff, () => undefined)}
        queryClient={newQueryClient()}
      >
        <Sender />
      </CoreAdminContext>
    </MemoryRouter>,
  );
  return { answers };
}

test('a call that ends the session answers nothing, and the page is left', async () => {
  storeSession({ token: 'tok', accountId: 'acc-1', organizationId: 'acme' });
  keepFind({ resource: 'users', id: 'acc-2', title: 'ann', text: '' });
  const { answers } = settled(401);
  await waitFor(() => expect(leaveAtOnce).toHaveBeenCalled());
  await new Promise((resolve) => setTimeout(resolve));
  expect(answers).toEqual([]);
  expect([readToken(), readFinds()]).toEqual([undefined, []]);
});

test('another refusal is a refusal', async () => {
  const { answers } = settled(409);
  await waitFor(() => expect(answers).toEqual(['Sign in again.']));
});
