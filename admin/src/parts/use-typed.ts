import { useHeldReload } from '@gantry/ui/session/use-held-reload.ts';
import { useEffect, useEffectEvent } from 'react';

/** For an editor: reports whether something is typed, and holds back reloads meanwhile. */
export function useTyped(isTyped: boolean, onTyped?: (isTyped: boolean) => void): void {
  useHeldReload(isTyped);
  const report = useEffectEvent(() => onTyped?.(isTyped));
  // biome-ignore lint/correctness/useExhaustiveDependencies: each change is reported
  useEffect(() => report(), [isTyped]);
}
