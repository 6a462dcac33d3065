// Logging out: tells the server, and removes everything of the session here. The page is reloaded, so that nothing stays in
// memory.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useApi } from '@gantry/ui/client/use-api.tsx';
import { leaveAtOnce } from '@gantry/ui/session/hold-reload.ts';
import { forgetSession, readAccountId } from '@gantry/ui/session/session.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { forgetOthersDrafts } from '../parts/draft.ts';
import { useLeaveQuestion } from './leave-question.tsx';

export function useLogOut(): { logOut: () => void; isLeaving: boolean } {
  const api = useApi();
  const client = useQueryClient();
  const ask = useLeaveQuestion();
  const [isLeaving, setLeaving] = useState(false);
  const leave = async () => {
    setLeaving(true);
    const account_id = readAccountId();
    // Whether it hears of it or not: on this machine the session is over.
    await api.call(CALLS.logout, account_id === undefined ? {} : { body: { account_id } }).catch(() => undefined);
    forgetSession();
    forgetOthersDrafts();
    client.clear();
    leaveAtOnce(() => location.replace('/login'));
  };
  return { logOut: () => ask(() => void leave()), isLeaving };
}
