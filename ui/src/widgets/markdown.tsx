// Markdown as people read it. HTML in it is left out, links cannot run scripts, and pictures of other servers are not loaded: they
// would learn who reads.
import Box from '@mui/material/Box';
import type { ReactNode } from 'react';
import ReactMarkdown from 'react-markdown';
import remarkGfm from 'remark-gfm';

const PLUGINS = [remarkGfm];
/** A page has its own first heading. */
const COMPONENTS = {
  h1: 'h2',
  a: ({ href, children }: { href?: string | undefined; children?: ReactNode }) => (
    <a href={href} target="_blank" rel="noopener noreferrer">
      {children}
    </a>
  ),
} as const;

export function Markdown({ text }: { text: string }) {
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
      <ReactMarkdown skipHtml remarkPlugins={PLUGINS} disallowedElements={['img']} components={COMPONENTS}>
        {text}
      </ReactMarkdown>
    </Box>
  );
}
