// A number, and below it how it comes about.
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';

export function WithArithmetic({ children, lines }: { children: ReactNode; lines: readonly string[] }) {
  return (
    <>
      <strong>{children}</strong>
      <Box component="ul" sx={{ m: 0, pl: 2.5 }}>
        {lines.map((line) => (
          <Typography key={line} component="li" variant="body2" color="text.secondary">
            {line}
          </Typography>
        ))}
      </Box>
    </>
  );
}
