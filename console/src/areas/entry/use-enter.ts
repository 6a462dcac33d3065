// After a login: stores the session on this machine, and goes to the requested page.
import { CALLS } from '@gantry/contract/http/calls.ts';
import type { AfterLogin } from '@gantry/ui/session/after-login.ts';
import { nextPath } from '@gantry/ui/session/next-path.ts';
import { storeSession } from '@gantry/ui/session/session.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearchParams } from 'react-router';

/** Public data stay: the current page still shows them. */
const OPEN: readonly unknown[] = [CALLS.getSettings, CALLS.listGpuSpecs, CALLS.getBillingConfig].map(({ id }) => id);

export function useEnter(): (entered: Extract<AfterLogin, { next: 'enter' }>, next?: string | null) => Promise<void> {
  const client = useQueryClient();
  const navigate = useNavigate();
  const [params] = useSearchParams();
  return async ({ session, expiresAt }, next = params.get('next')) => {
    storeSession(session, expiresAt);
    // Data that somebody else read on this machine are not shown to the new person.
    client.removeQueries({ predicate: ({ queryKey: [id] }) => !OPEN.includes(id) });
    await navigate(nextPath(next), { replace: true });
  };
}
