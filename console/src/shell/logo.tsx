// The name of the product; it leads home.
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import { Mark } from '@gantry/ui/widgets/mark.tsx';
import Box from '@mui/material/Box';
import { Link } from 'react-router';
import { useShellWords } from './use-shell-words.ts';

export function Logo({ isShort = false, onClick }: { isShort?: boolean; onClick?: () => void }) {
  const t = useShellWords();
  const ui = useUiWords();
  return (
    <Box
      component={Link}
      to="/home"
      aria-label={t('header.home')}
      {...(onClick && { onClick })}
      sx={{
        display: 'flex',
        alignItems: 'center',
        gap: 1,
        px: 0.5,
        color: 'text.primary',
        textDecoration: 'none',
        fontWeight: 600,
        fontSize: 16,
        letterSpacing: '-0.011em',
        borderRadius: 1,
      }}
    >
      <Mark size={24} />
      {!isShort && <span>{ui('appName')}</span>}
    </Box>
  );
}
