// Renders the surroundings after the page, in a separate task: a tap waits for one of them at most. Their space has to be
// reserved, so that nothing moves.
import { type ReactNode, useDeferredValue } from 'react';

export function Later({ children }: { children: ReactNode }) {
  return useDeferredValue(true, false) && children;
}
