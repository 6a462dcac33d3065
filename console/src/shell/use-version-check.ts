// Looks for a new version on navigation or when the tab is shown again, announces it, and reloads the page.

import { onceReloadIsFree } from '@gantry/ui/session/hold-reload.ts';
import { newVersionCheck } from '@gantry/ui/session/version-check.ts';
import { useToast } from '@gantry/ui/widgets/toast.tsx';
import { useEffect, useEffectEvent, useState } from 'react';
import { useLocation } from 'react-router';
import { useShellWords } from './use-shell-words.ts';

const RELOAD_AFTER_MS = 2_000;

export function useVersionCheck(): void {
  const [check] = useState(() => newVersionCheck(GANTRY_VERSION));
  const { pathname } = useLocation();
  const toast = useToast();
  const t = useShellWords();

  const look = useEffectEvent(async () => {
    if (document.visibilityState === 'hidden' || (await check.look()) === undefined) return;
    onceReloadIsFree(() => {
      toast.info(t('newVersion'));
      setTimeout(() => location.reload(), RELOAD_AFTER_MS);
    });
  });

  // biome-ignore lint/correctness/useExhaustiveDependencies: each page that is gone to is an occasion
  useEffect(() => void look(), [pathname]);
  useEffect(() => {
    const seen = () => void look();
    document.addEventListener('visibilitychange', seen);
    return () => document.removeEventListener('visibilitychange', seen);
  }, []);
}
