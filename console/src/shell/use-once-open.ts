// A menu that nobody has opened yet need not be there; one that closes stays, so that it closes as slowly as it likes.
import { useState } from 'react';

/** Whether it has ever been open. */
export function useOnceOpen(isOpen: boolean): boolean {
  const [wasOpen, setWasOpen] = useState(isOpen);
  if (isOpen && !wasOpen) setWasOpen(true);
  return isOpen || wasOpen;
}
