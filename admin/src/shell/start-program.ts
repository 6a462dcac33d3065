// The steps before the first page: whether the session still holds, who it is, and what their roles open.
import type { Call, InputOf } from '@gantry/contract/http/call.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';
import type { RouteFacts } from '@gantry/contract/http/define-route.ts';
import type { Api } from '@gantry/ui/client/api.ts';
import { ApiProblem } from '@gantry/ui/client/api-problem.ts';
import { keyOf } from '@gantry/ui/client/use-api.tsx';
import { nodesInput } from '@gantry/ui/session/nodes-input.ts';
import { forgetSession } from '@gantry/ui/session/session.ts';
import type { QueryClient } from '@tanstack/react-query';
import { redirect } from 'react-router';
import { loginPath } from '../login/login-path.ts';
import { forgetFinds } from './recent-finds.ts';

interface Starting {
  api: Api;
  client: QueryClient;
  here: string;
}

/** Redirects to the sign-in if the session is over; throws what else fails, which a page offers to try again. */
export async function startProgram({ api, client, here }: Starting): Promise<void> {
  const read = <F extends RouteFacts>(call: Call<F>, input: InputOf<F>) =>
    client.fetchQuery({
      queryKey: keyOf(call, input),
      queryFn: () => api.call(call, input),
      staleTime: Number.POSITIVE_INFINITY,
      gcTime: Number.POSITIVE_INFINITY,
    });
  try {
    await Promise.all([
      read(CALLS.getMe, {}),
      read(CALLS.getPermissionNodes, nodesInput('admin')),
      read(CALLS.getSettings, {}),
    ]);
  } catch (error) {
    if (!(error instanceof ApiProblem) || error.status !== 401) throw error;
    forgetSession();
    forgetFinds();
    throw redirect(loginPath(here));
  }
}
