import { MONO } from '@gantry/ui/theme/theme.ts';
import Box from '@mui/material/Box';

export const Code = ({ children }: { children: string }) => (
  <Box component="code" sx={{ fontFamily: MONO, fontSize: 13, overflowWrap: 'anywhere' }}>
    {children}
  </Box>
);
