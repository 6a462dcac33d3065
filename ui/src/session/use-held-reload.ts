import { useEffect } from 'react';
import { holdReload } from './hold-reload.ts';

/** While it holds, such as while something is typed, no new version reloads the page. */
export function useHeldReload(isHeld: boolean): void {
  useEffect(() => (isHeld ? holdReload() : undefined), [isHeld]);
}
