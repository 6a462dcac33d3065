// A shell ends with its page: leaving while connected asks for confirmation, and a new version does not reload the page.
import { ConfirmDialog } from '@gantry/ui/widgets/confirm-dialog.tsx';
import { type ReactNode, useEffect } from 'react';
import { useBlocker } from 'react-router';
import { holdReload } from '../../parts/hold-reload.ts';
import { holdShell } from '../../parts/open-shells.ts';
import { useTerminalWords } from './use-terminal-words.ts';

/** Returns the question, when it has to be asked. */
export function useLeaveWarning(isConnected: boolean): ReactNode {
  const t = useTerminalWords();
  const blocker = useBlocker(isConnected);
  useEffect(() => {
    if (!isConnected) return;
    const releases = [holdReload(), holdShell()];
    return () => {
      for (const release of releases) release();
    };
  }, [isConnected]);
  if (blocker.state !== 'blocked') return null;
  return (
    <ConfirmDialog
      title={t('leave.title')}
      lost={[t('leave.lost')]}
      kept={[t('leave.kept')]}
      confirmLabel={t('leave.confirm')}
      isDangerous
      onConfirm={() => blocker.proceed()}
      onClose={() => blocker.reset()}
    />
  );
}
