// What staff wrote for a page, or what it says until they have.
import Box from '@mui/material/Box';
import type { ReactNode } from 'react';
import { ArticleText } from './article-text.tsx';
import { Kept } from './kept.tsx';
import { PageTitle } from './page-title.tsx';

interface Props {
  readonly written: { readonly title: string; readonly content: string } | null;
  readonly title: string;
  readonly fallback: ReactNode;
  readonly children?: ReactNode;
}

export const WrittenText = ({ written, title, fallback, children }: Props) => (
  <Box sx={{ maxWidth: '46rem' }}>
    <PageTitle title={written?.title ?? title} />
    <Box sx={{ mt: 3 }}>
      {written ? (
        <Kept>{typeof window === 'undefined' ? <ArticleText text={written.content} /> : null}</Kept>
      ) : (
        fallback
      )}
    </Box>
    {children}
  </Box>
);
