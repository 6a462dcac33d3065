// The head of a page: its place, its subject, and its actions.
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { type ReactNode, useEffect } from 'react';
import { useUiWords } from '../i18n/use-words.tsx';
import { useSetPageTitle } from './page-title.ts';

interface PageHeaderProps {
  title: string;
  /** One sentence of help. */
  lead?: ReactNode;
  /** Beside the title, such as a chip. */
  beside?: ReactNode;
  /** Buttons at the end. */
  children?: ReactNode;
}

export function PageHeader({ title, lead, beside, children }: PageHeaderProps) {
  const t = useUiWords();
  useSetPageTitle(title);
  useEffect(() => {
    document.title = `${title} · ${t('appName')}`;
  }, [title, t]);
  return (
    <Box component="header" sx={{ display: 'flex', flexWrap: 'wrap', gap: 2, alignItems: 'flex-start', mb: 3 }}>
      <Box sx={{ flex: '1 1 16rem', minWidth: 0 }}>
        <Box sx={{ display: 'flex', gap: 1.5, alignItems: 'center', flexWrap: 'wrap' }}>
          <Typography variant="h1" sx={{ overflowWrap: 'anywhere' }}>
            {title}
          </Typography>
          {beside}
        </Box>
        {lead !== undefined && (
          <Typography variant="body2" color="text.secondary" component="div" sx={{ mt: 0.5, maxWidth: '48rem' }}>
            {lead}
          </Typography>
        )}
      </Box>
      {children !== undefined && <Box sx={{ display: 'flex', gap: 1, flexWrap: 'wrap' }}>{children}</Box>}
    </Box>
  );
}
