// Looks for a new version on navigation or when the tab is shown again, announces it, and reloads the page.
import { useToast } from '@gantry/ui/widgets/toast.tsx';
import { useEffect, useEffectEvent, useState } from 'react';
import { useLocation } from 'react-router';
import { onceReloadIsFree } from '../parts/hold-reload.ts';
import { useShellWords } from './use-shell-words.ts';
import { VersionCheck } from './version-check.ts';

const KEY = 'gantry_version_seen';
const RELOAD_AFTER_MS = 2_000;

const newCheck = () =>
  new VersionCheck({
    built: GANTRY_VERSION,
    read: readVersion,
    now: () => performance.now(),
    seen: { get: () => sessionStorage.getItem(KEY), set: (version) => sessionStorage.setItem(KEY, version) },
    log: (error) => console.warn('the version could not be read', error),
  });

async function readVersion(): Promise<string> {
  const response = await fetch('/version.json', { cache: 'no-store' });
  const { version } = (await response.json()) as { version?: unknown };
  if (typeof version !== 'string') throw new Error('version.json has no version');
  return version;
}

export function useVersionCheck(): void {
  const [check] = useState(newCheck);
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
