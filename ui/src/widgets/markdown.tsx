// Markdown as people read it. HTML in it is left out, links cannot run scripts, and pictures of other servers are not loaded: they
// would learn who reads.
import Box from '@mui/material/Box';
import type { ReactNode } from 'react';
import ReactMarkdown, { type Components } from 'react-markdown';
import remarkGfm from 'remark-gfm';

const PLUGINS = [remarkGfm];
/** The page and the article have the headings above. */
const COMPONENTS = {
  h1: 'h3',
  h2: 'h3',
  a: ({ href, children }: { href?: string | undefined; children?: ReactNode }) => (
    <a href={href} target="_blank" rel="noopener noreferrer">
      {children}
    </a>
  ),
} as const;

const Bold = ({ children }: { children?: ReactNode }) => (
  <p>
    <strong>{children}</strong>
  </p>
);
/** Whatever a model writes is no part of the page's outline. */
const MESSAGE_COMPONENTS = { ...COMPONENTS, h1: Bold, h2: Bold, h3: Bold, h4: Bold, h5: Bold, h6: Bold } as const;

interface MarkdownProps {
  text: string;
  /** Of a conversation, not an article. */
  isMessage?: boolean;
  /** In place of an article's own elements. */
  components?: Components;
}

export function Markdown({ text, isMessage = false, components = COMPONENTS }: MarkdownProps) {
  return (
    <Box
      sx={{
        overflowWrap: 'anywhere',
        '& pre': { overflow: 'auto', p: 1.5, borderRadius: 1, bgcolor: 'action.hover' },
        '& table': { borderCollapse: 'collapse', display: 'block', overflowX: 'auto' },
        '& td, & th': { border: 1, borderColor: 'divider', px: 1, py: 0.5 },
        '& > :first-child': { mt: 0 },
      }}
    >
      <ReactMarkdown
        skipHtml
        remarkPlugins={PLUGINS}
        disallowedElements={['img']}
        components={isMessage ? MESSAGE_COMPONENTS : components}
      >
        {text}
      </ReactMarkdown>
    </Box>
  );
}
