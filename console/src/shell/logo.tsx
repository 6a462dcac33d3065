// The name of the product; it leads home.
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
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
        gap: 1.25,
        px: 0.5,
        color: 'text.primary',
        textDecoration: 'none',
        fontWeight: 700,
        fontSize: 18,
        borderRadius: 1,
      }}
    >
      <img src="/favicon.svg" width={28} height={28} alt="" />
      {!isShort && <span>{ui('appName')}</span>}
    </Box>
  );
}
