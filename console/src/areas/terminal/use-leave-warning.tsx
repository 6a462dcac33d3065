// A shell that ends with its page: leaving while connected asks for confirmation, and a new version does not reload the page. One
// that outlives it is left without a question.

import { holdReload } from '@gantry/ui/session/hold-reload.ts';
import { ConfirmDialog } from '@gantry/ui/widgets/confirm-dialog.tsx';
import { type ReactNode, useEffect } from 'react';
import { useBlocker } from 'react-router';
import { holdShell } from '../../parts/open-shells.ts';
import { useTerminalWords } from './use-terminal-words.ts';

/** Returns the question, when it has to be asked. */
export function useLeaveWarning(isConnected: boolean, isKept: boolean): ReactNode {
  const t = useTerminalWords();
  const blocker = useBlocker(isConnected && !isKept);
  useEffect(() => {
    if (!isConnected) return;
    const releases = isKept ? [holdShell()] : [holdReload(), holdShell()];
    return () => {
      for (const release of releases) release();
    };
  }, [isConnected, isKept]);
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
