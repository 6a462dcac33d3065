// A link that looks like a button. MUI's Button brings ten kilobytes for what a link of a prerendered page does not have.
import Box from '@mui/material/Box';
import type { MouseEvent, ReactNode } from 'react';

interface Props {
  href: string;
  /** The one thing to do on the page. */
  isMain?: boolean;
  isLarge?: boolean;
  /** Where scripts run. */
  onClick?: (event: MouseEvent) => void;
  children: ReactNode;
}

export const LinkButton = ({ href, isMain = false, isLarge = false, onClick, children }: Props) => (
  <Box component="a" href={href} onClick={onClick} sx={[BUTTON, isMain ? MAIN : OTHER, isLarge && LARGE]}>
    {children}
  </Box>
);

const BUTTON = {
  display: 'inline-block',
  px: 1.5,
  py: 0.5,
  fontSize: 14,
  fontWeight: 600,
  lineHeight: 1.75,
  borderRadius: 1,
  border: 1,
  textDecoration: 'none',
  whiteSpace: 'nowrap',
} as const;
const MAIN = {
  borderColor: 'primary.main',
  bgcolor: 'primary.main',
  color: 'primary.contrastText',
  '&:hover': { bgcolor: 'primary.dark' },
} as const;
const OTHER = { borderColor: 'divider', color: 'primary.main', '&:hover': { bgcolor: 'action.hover' } } as const;
const LARGE = { px: 2.5, py: 1, fontSize: 16 } as const;
