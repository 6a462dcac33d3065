// An article or a card: Markdown whose headings can be linked to, and the list of them.

import { headingsOf, idOf } from '@gantry/contract/areas/portal/headings.ts';
import { Markdown } from '@gantry/ui/widgets/markdown.tsx';
import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import type { ReactNode } from 'react';
import { COPY } from './command.tsx';
import { usePortalWords } from './use-portal-words.ts';

const heading =
  (Level: 'h2' | 'h3') =>
  ({ children }: { children?: ReactNode }) => <Level id={idOf(textOf(children))}>{children}</Level>;
/** A block of code, to copy (`enliven.ts`). */
function Code({ children }: { children?: ReactNode }) {
  const t = usePortalWords();
  return (
    <Box sx={{ position: 'relative' }}>
      {/* It scrolls, by keys too. */}
      <Box component="pre" tabIndex={0} sx={BELOW_BUTTON}>
        {children}
      </Box>
      <Box component="button" type="button" data-copied={t('home.copied')} aria-label={t('help.copy')} sx={COPY}>
        <span aria-live="polite">{t('home.copyShort')}</span>
      </Box>
    </Box>
  );
}

/** Twice its own class: stronger than the reader's rule for code. */
const BELOW_BUTTON = { '&&': { pt: 4.5 } } as const;

/** The page has the heading above. */
const COMPONENTS = {
  h1: heading('h2'),
  h2: heading('h2'),
  h3: heading('h3'),
  pre: Code,
  a: ({ href, children }: { href?: string | undefined; children?: ReactNode }) => (
    <a href={href} rel="noopener noreferrer nofollow">
      {children}
    </a>
  ),
} as const;

export const ArticleText = ({ text }: { text: string }) => <Markdown text={text} components={COMPONENTS} />;

/** Nothing where there are too few to choose from. */
export function Contents({ text, label }: { text: string; label: string }) {
  const headings = headingsOf(text);
  if (headings.length < 2) return null;
  return (
    <Box component="nav" aria-label={label} sx={{ fontSize: 14 }}>
      <Box component="ul" sx={{ listStyle: 'none', p: 0, m: 0, display: 'grid', gap: 0.75 }}>
        {headings.map(({ text: title, level }) => (
          <Box component="li" key={idOf(title)} sx={{ pl: level === 3 ? 2 : 0 }}>
            <Link href={`#${idOf(title)}`} underline="hover">
              <bdi>{title}</bdi>
            </Link>
          </Box>
        ))}
      </Box>
    </Box>
  );
}

const textOf = (node: ReactNode): string =>
  typeof node === 'string' || typeof node === 'number'
    ? `${node}`
    : Array.isArray(node)
      ? node.map(textOf).join('')
      : typeof node === 'object' && node !== null && 'props' in node
        ? textOf((node.props as { children?: ReactNode }).children)
        : '';
