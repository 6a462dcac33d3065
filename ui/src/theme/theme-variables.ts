// What the theme is made of, as variables for the browser. MUI would take the same 24 KB through its style engine, for which a page
// that is worked out has to wait.
import type { Theme } from '@mui/material/styles';

/** One sheet: of all schemes, as `data-scheme` chooses among them. */
export const themeVariables = (theme: Pick<Theme, 'generateStyleSheets'>): string =>
  theme
    .generateStyleSheets()
    .flatMap((sheet) => Object.entries<Readonly<Record<string, string | number>>>(sheet))
    .map(([selector, values]) => `${selector}{${declarations(values)}}`)
    .join('');

const declarations = (values: Readonly<Record<string, string | number>>): string =>
  Object.entries(values)
    .map(([name, value]) => `${name === 'colorScheme' ? 'color-scheme' : name}:${value};`)
    .join('');
