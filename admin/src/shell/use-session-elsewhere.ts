// Another tab signs in or out: this page shows and does things in the name of a session that is no more, so it starts again.
import { leaveAtOnce } from '@gantry/ui/session/hold-reload.ts';
import { onSessionElsewhere } from '@gantry/ui/session/session.ts';
import { useEffect } from 'react';
import { forgetFinds } from './recent-finds.ts';

export function useSessionElsewhere(): void {
  useEffect(
    () =>
      onSessionElsewhere(() => {
        forgetFinds();
        // The new person may not open what is shown here.
        leaveAtOnce(() => location.replace('/'));
      }),
    [],
  );
}
