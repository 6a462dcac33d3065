// The theme around an app, with the accent that was chosen on this machine.
import CssBaseline from '@mui/material/CssBaseline';
import { type Theme, ThemeProvider } from '@mui/material/styles';
import { createContext, type ReactNode, useContext, useMemo, useState } from 'react';
import { PLAIN_LOOKS } from './plain-looks.ts';
import { sheetOf } from './sheet.ts';
import { ACCENTS, type Accent, appTheme, DEFAULT_ACCENT } from './theme.ts';
import { themeVariables } from './theme-variables.ts';

const KEY = 'gantry_accent';

const AccentContext = createContext<{ accent: Accent; choose(accent: Accent): void } | undefined>(undefined);

interface Look {
  readonly theme: Theme;
  /** Its variables, and the plain elements that are made of them. */
  readonly sheet: string;
}
const looks = new Map<Accent, Look>();

function lookOf(accent: Accent): Look {
  const known = looks.get(accent);
  if (known) return known;
  const theme = appTheme(accent);
  const look = { theme, sheet: themeVariables(theme) + sheetOf(PLAIN_LOOKS) };
  looks.set(accent, look);
  return look;
}

/** Works out what `AppTheme` will first want, which takes a while: by itself, it keeps nobody waiting. */
export const prepareTheme = (): void => void lookOf(readAccent());

function readAccent(): Accent {
  const kept = localStorage.getItem(KEY);
  return kept !== null && Object.hasOwn(ACCENTS, kept) ? (kept as Accent) : DEFAULT_ACCENT;
}

export function AppTheme({ children }: { children: ReactNode }) {
  const [accent, setAccent] = useState(readAccent);
  const { theme, sheet } = lookOf(accent);
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
      <ThemeProvider theme={theme} defaultMode="system" disableTransitionOnChange disableStyleSheetGeneration>
        <style>{sheet}</style>
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
