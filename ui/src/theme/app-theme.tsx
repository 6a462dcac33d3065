// The theme around an app, with the accent and the density that were chosen on this machine.
import CssBaseline from '@mui/material/CssBaseline';
import { ThemeProvider } from '@mui/material/styles';
import { createContext, type ReactNode, useContext, useLayoutEffect, useMemo, useState } from 'react';
import { ACCENTS, type Accent, DEFAULT_ACCENT } from './palette.ts';
import { appTheme } from './theme.ts';

/** The heights of a table's rows by density, in px. */
export const ROW_PX = { compact: 36, roomy: 52 } as const;
export type Density = keyof typeof ROW_PX;

interface Chosen {
  readonly accent: Accent;
  readonly density: Density;
}
const KEYS = { accent: 'gantry_accent', density: 'gantry_density' } as const;
const DEFAULTS: Chosen = { accent: DEFAULT_ACCENT, density: 'compact' };

const AppearanceContext = createContext<(Chosen & { choose(chosen: Partial<Chosen>): void }) | undefined>(undefined);

function kept<K extends keyof Chosen>(name: K, known: object): Chosen[K] {
  const value = localStorage.getItem(KEYS[name]);
  return value !== null && Object.hasOwn(known, value) ? (value as Chosen[K]) : DEFAULTS[name];
}

export function AppTheme({ children }: { children: ReactNode }) {
  const [chosen, setChosen] = useState<Chosen>(() => ({
    accent: kept('accent', ACCENTS),
    density: kept('density', ROW_PX),
  }));
  const { accent, density } = chosen;
  const theme = useMemo(() => appTheme(accent), [accent]);
  const appearance = useMemo(
    () => ({
      ...chosen,
      choose(next: Partial<Chosen>) {
        for (const [name, value] of Object.entries(next)) localStorage.setItem(KEYS[name as keyof Chosen], value);
        setChosen((former) => ({ ...former, ...next }));
      },
    }),
    [chosen],
  );
  useLayoutEffect(() => {
    document.documentElement.dataset.density = density;
  }, [density]);
  return (
    <AppearanceContext value={appearance}>
      <ThemeProvider theme={theme} defaultMode="system" disableTransitionOnChange>
        <CssBaseline enableColorScheme />
        {children}
      </ThemeProvider>
    </AppearanceContext>
  );
}

export function useAppearance() {
  const appearance = useContext(AppearanceContext);
  if (!appearance) throw new Error('there is no AppTheme above');
  return appearance;
}

/** The height of a table's row, in px. */
export const useRowPx = (): number => ROW_PX[useContext(AppearanceContext)?.density ?? DEFAULTS.density];
