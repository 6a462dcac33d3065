// What is around a page is drawn once the page is, in a task of its own: a tap waits for one of them at most. Its place has to be
// kept until then, so that nothing moves.
import { type ReactNode, useDeferredValue } from 'react';

export function Later({ children }: { children: ReactNode }) {
  return useDeferredValue(true, false) && children;
}
