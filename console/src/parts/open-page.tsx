// The frame of public pages: the name, language, appearance, and links to help and terms. Part of the first route: it imports
// nothing heavy.
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import { readToken } from '@gantry/ui/session/session.ts';
import { useSettings } from '@gantry/ui/session/use-settings.ts';
import { LanguageSelect } from '@gantry/ui/widgets/language-select.tsx';
import DarkMode from '@mui/icons-material/DarkModeOutlined';
import LightMode from '@mui/icons-material/LightModeOutlined';
import SystemMode from '@mui/icons-material/SettingsBrightnessOutlined';
import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import Link from '@mui/material/Link';
import { useColorScheme } from '@mui/material/styles';
import Typography from '@mui/material/Typography';
import { type ReactNode, useEffect } from 'react';
import { Link as RouterLink } from 'react-router';

interface OpenPageProps {
  /** The window's title. The page shows its own heading. */
  title: string;
  /** The content's maximum width; unlimited by default. */
  maxWidth?: string | number;
  children: ReactNode;
}

export function OpenPage({ title, maxWidth, children }: OpenPageProps) {
  const t = useUiWords();
  useEffect(() => {
    document.title = `${title} · ${t('appName')}`;
  }, [title, t]);
  return (
    <Box sx={{ minHeight: '100dvh', display: 'flex', flexDirection: 'column' }}>
      <Link
        href="#content"
        sx={{
          position: 'absolute',
          left: -9999,
          '&:focus': { left: 16, top: 16, zIndex: 1, bgcolor: 'background.paper', p: 1 },
        }}
      >
        {t('links.skip')}
      </Link>
      <Box
        component="header"
        sx={{ display: 'flex', alignItems: 'center', gap: { xs: 1, md: 2 }, px: { xs: 2, md: 4 }, height: 64 }}
      >
        <Link
          component={RouterLink}
          to={readToken() === undefined ? '/login' : '/home'}
          aria-label={`${t('appName')}: ${t('links.start')}`}
          underline="none"
          color="textPrimary"
          sx={{ display: 'flex', alignItems: 'center', gap: 1, fontWeight: 700, fontSize: 20, mr: 'auto' }}
        >
          <img src="/favicon.svg" width="28" height="28" alt="" />
          {t('appName')}
        </Link>
        <Link component={RouterLink} to="/help" variant="body2">
          {t('links.help')}
        </Link>
        <LanguageSelect />
        <SchemeButton />
      </Box>
      <Box
        component="main"
        id="content"
        tabIndex={-1}
        sx={{ flex: 1, width: '100%', maxWidth, mx: 'auto', px: { xs: 2, md: 4 }, py: { xs: 2, md: 4 }, outline: 0 }}
      >
        {children}
      </Box>
      <OpenFooter />
    </Box>
  );
}

const NEXT_MODE = { light: 'dark', dark: 'system', system: 'light' } as const;
const MODE_ICONS = { light: <LightMode />, dark: <DarkMode />, system: <SystemMode /> } as const;

function SchemeButton() {
  const t = useUiWords();
  const { mode = 'system', setMode } = useColorScheme();
  const label = `${t('scheme.label')}: ${t(`scheme.${mode}`)}`;
  return (
    <IconButton aria-label={label} title={label} onClick={() => setMode(NEXT_MODE[mode])}>
      {MODE_ICONS[mode]}
    </IconButton>
  );
}

function OpenFooter() {
  const t = useUiWords();
  const { data } = useSettings();
  return (
    <Box
      component="footer"
      sx={{
        display: 'flex',
        flexWrap: 'wrap',
        gap: { xs: 2, md: 3 },
        px: { xs: 2, md: 4 },
        py: 2,
        color: 'text.secondary',
      }}
    >
      {(['terms', 'privacy', 'docs', 'contact'] as const).map((page) => (
        <Link key={page} component={RouterLink} to={`/${page}`} variant="body2" color="inherit">
          {t(`links.${page}`)}
        </Link>
      ))}
      {/* Last: nothing stands behind a name that comes later. */}
      <Typography variant="body2">{[t('appName'), data?.region_label].filter(Boolean).join(' · ')}</Typography>
    </Box>
  );
}
