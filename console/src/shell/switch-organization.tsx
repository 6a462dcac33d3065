// Switches the organisation: gets a token for it, and reloads everything on screen, in other tabs too. One switch at a time,
// wherever it was requested.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useCommand } from '@gantry/ui/client/use-api.tsx';
import { leaveAtOnce } from '@gantry/ui/session/hold-reload.ts';
import { storeSession } from '@gantry/ui/session/session.ts';
import { useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext } from 'react';
import { useLocation } from 'react-router';
import { useLeaveQuestion } from './leave-question.tsx';
import { pathOf } from './menu.ts';
import { usePage } from './pages.tsx';

interface Switching {
  switchTo(organization: string): void;
  /** True until the page is reloaded. */
  readonly isSwitching: boolean;
}

const SwitchContext = createContext<Switching | undefined>(undefined);

export function useSwitchOrganization(): Switching {
  const switching = useContext(SwitchContext);
  if (!switching) throw new Error('there is no SwitchOrganization above');
  return switching;
}

export function SwitchOrganization({ children }: { children: ReactNode }) {
  const menu = usePage()?.menu;
  const { pathname } = useLocation();
  const client = useQueryClient();
  const ask = useLeaveQuestion();
  const { mutate, isPending, isSuccess } = useCommand(CALLS.switchOrganization, {
    success: false,
    onSuccess: ({ token, account_id: accountId, org_id: organizationId, expires_at }) => {
      storeSession({ token, accountId, organizationId }, expires_at);
      client.clear();
      // A page about one object belongs to the previous organisation.
      if (menu === undefined || pathname === pathOf(menu)) leaveAtOnce(() => location.reload());
      else leaveAtOnce(() => location.assign(pathOf(menu)));
    },
  });
  const switchTo = (org_id: string) => ask(() => mutate({ body: { org_id } }));
  return <SwitchContext value={{ switchTo, isSwitching: isPending || isSuccess }}>{children}</SwitchContext>;
}
