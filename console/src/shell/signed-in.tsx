// Surrounds every page of a logged-in person: the live stream, and reactions to other tabs' sessions.
import { LiveProvider } from '@gantry/ui/live/live-provider.tsx';
import { leaveAtOnce } from '@gantry/ui/session/hold-reload.ts';
import { onSessionElsewhere } from '@gantry/ui/session/session.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Outlet } from 'react-router';
import { forgetOthersDrafts } from '../parts/draft.ts';
import { LeaveQuestion } from './leave-question.tsx';
import { SwitchOrganization } from './switch-organization.tsx';
import { missMessages, takeMessages } from './use-bell.ts';
import { ViewBanner } from './view-banner.tsx';

export function SignedIn() {
  const client = useQueryClient();
  useEffect(() => {
    // The previous person may have left without logging out.
    forgetOthersDrafts();
    return onSessionElsewhere(() => {
      forgetOthersDrafts();
      leaveAtOnce(() => location.reload());
    });
  }, []);
  return (
    <LiveProvider onMessages={(page) => takeMessages(client, page)} onMessagesMissed={() => missMessages(client)}>
      <LeaveQuestion>
        <SwitchOrganization>
          <ViewBanner />
          <Outlet />
        </SwitchOrganization>
      </LeaveQuestion>
    </LiveProvider>
  );
}
