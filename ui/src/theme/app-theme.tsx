// The theme around an app, with the accent that was chosen on this machine.
import CssBaseline from '@mui/material/CssBaseline';
import { ThemeProvider } from '@mui/material/styles';
import { createContext, type ReactNode, useContext, useMemo, useState } from 'react';
import { ACCENTS, type Accent, appTheme, DEFAULT_ACCENT } from './theme.ts';

const KEY = 'gantry_accent';

const AccentContext = createContext<{ accent: Accent; choose(accent: Accent): void } | undefined>(undefined);

function readAccent(): Accent {
  const kept = localStorage.getItem(KEY);
  return kept !== null && Object.hasOwn(ACCENTS, kept) ? (kept as Accent) : DEFAULT_ACCENT;
}

export function AppTheme({ children }: { children: ReactNode }) {
  const [accent, setAccent] = useState(readAccent);
  const theme = useMemo(() => appTheme(accent), [accent]);
  const chosen = useMemo(
    () => ({
      accent,
      choose(next: Accent) {
        localStorage.setItem(KEY, next);
        setAccent(next);
      },
    }),
    [accent],
  );
  return (
    <AccentContext value={chosen}>
      <ThemeProvider theme={theme} defaultMode="system" disableTransitionOnChange>
        <CssBaseline enableColorScheme />
        {children}
      </ThemeProvider>
    </AccentContext>
  );
}

export function useAccent() {
  const chosen = useContext(AccentContext);
  if (!chosen) throw new Error('there is no AppTheme above');
  return chosen;
}
