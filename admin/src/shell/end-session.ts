// The end of a session on this machine: its token, what was found in it, and the page that has its data in memory.
import { CALLS } from '@gantry/contract/http/calls.ts';
import type { Api } from '@gantry/ui/client/api.ts';
import { leaveAtOnce } from '@gantry/ui/session/hold-reload.ts';
import { forgetSession, readAccountId } from '@gantry/ui/session/session.ts';
import { forgetFinds } from './recent-finds.ts';

/** The page is loaded anew, so that nothing of the session stays in memory. */
export function endSession(to = '/login'): void {
  forgetSession();
  forgetFinds();
  leaveAtOnce(() => location.replace(to));
}

/** Whether the server hears of it or not, the session is over on this machine. */
export async function logOut(api: Api): Promise<void> {
  const account_id = readAccountId();
  await api.call(CALLS.logout, account_id === undefined ? {} : { body: { account_id } }).catch(() => undefined);
  endSession();
}
