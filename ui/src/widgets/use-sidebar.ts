// Whether the sidebar is narrow: as it was last left on this machine; at first, as there is room for.
import useMediaQuery from '@mui/material/useMediaQuery';
import { useState } from 'react';

const KEY = 'gantry_sidebar';
/** Between a phone's drawer and this the page needs the room. */
const ROOMY = '(min-width: 1024px)';

export function useSidebar() {
  const isRoomy = useMediaQuery(ROOMY, { noSsr: true });
  const [chosen, setChosen] = useState(() => localStorage.getItem(KEY));
  const isNarrow = chosen === null ? !isRoomy : chosen === 'narrow';
  return {
    isNarrow,
    toggle: () => {
      const next = isNarrow ? 'wide' : 'narrow';
      localStorage.setItem(KEY, next);
      setChosen(next);
    },
  };
}
