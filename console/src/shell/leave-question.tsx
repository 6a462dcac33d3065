// Asks before switching the organisation or logging out while transfers run, in this tab or another.

import { isReloadHeld } from '@gantry/ui/session/hold-reload.ts';
import { ConfirmDialog } from '@gantry/ui/widgets/confirm-dialog.tsx';
import { createContext, type ReactNode, useCallback, useContext, useState } from 'react';
import { useShellWords } from './use-shell-words.ts';

const LeaveContext = createContext<(go: () => void) => void>((go) => go());

/** Calls `go` at once if nothing would be lost, otherwise after a confirmation. */
export const useLeaveQuestion = () => useContext(LeaveContext);

export function LeaveQuestion({ children }: { children: ReactNode }) {
  const t = useShellWords();
  const [asked, setAsked] = useState<{ go: () => void }>();
  const ask = useCallback(async (go: () => void) => {
    if (await isReloadHeld()) setAsked({ go });
    else go();
  }, []);
  return (
    <LeaveContext value={ask}>
      {children}
      {asked && (
        <ConfirmDialog
          title={t('leave.title')}
          lost={[t('leave.lost')]}
          kept={[t('leave.kept')]}
          confirmLabel={t('leave.confirm')}
          isDangerous
          onConfirm={() => {
            setAsked(undefined);
            asked.go();
          }}
          onClose={() => setAsked(undefined)}
        />
      )}
    </LeaveContext>
  );
}
