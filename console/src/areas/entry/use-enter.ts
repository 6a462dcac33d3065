// Signed in: the session is kept on this machine, and one goes where one wanted to.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { storeSession } from '@gantry/ui/session/session.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearchParams } from 'react-router';
import type { AfterLogin } from './after-login.ts';
import { nextPath } from './next-path.ts';

/** What everybody may read stays: the page one leaves still shows it. */
const OPEN: readonly unknown[] = [CALLS.getSettings, CALLS.listGpuSpecs, CALLS.getBillingConfig].map(({ id }) => id);

export function useEnter(): (entered: Extract<AfterLogin, { next: 'enter' }>, next?: string | null) => Promise<void> {
  const client = useQueryClient();
  const navigate = useNavigate();
  const [params] = useSearchParams();
  return async ({ session, expiresAt }, next = params.get('next')) => {
    storeSession(session, expiresAt);
    // What somebody else read on this machine is not shown to whoever comes now.
    client.removeQueries({ predicate: ({ queryKey: [id] }) => !OPEN.includes(id) });
    await navigate(nextPath(next), { replace: true });
  };
}
