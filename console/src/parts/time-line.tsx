// Past states, one below the other, newest first; the current one is marked.
import Box from '@mui/material/Box';
import type { ReactNode } from 'react';

interface TimeLineProps {
  rows: readonly { readonly key: string; readonly isLasting: boolean; readonly content: ReactNode }[];
  empty: ReactNode;
}

export function TimeLine({ rows, empty }: TimeLineProps) {
  if (rows.length === 0) return empty;
  return (
    <Box component="ol" sx={{ listStyle: 'none', p: 0, m: 0 }}>
      {rows.map(({ key, isLasting, content }) => (
        <Box
          component="li"
          key={key}
          sx={{ pl: 2, pb: 1.5, borderLeft: '2px solid', borderColor: isLasting ? 'success.main' : 'divider' }}
        >
          {content}
        </Box>
      ))}
    </Box>
  );
}
