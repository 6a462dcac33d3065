// A command to copy (`enliven.ts`).
import { MONO } from '@gantry/ui/theme/theme.ts';
import Box from '@mui/material/Box';
import { usePortalWords } from './use-portal-words.ts';

export function Command({ text, label }: { text: string; label: string }) {
  const t = usePortalWords();
  return (
    <Box sx={{ position: 'relative', flex: 1 }}>
      <Box component="pre" tabIndex={0} aria-label={label} role="region" sx={PRE}>
        <code>{text}</code>
      </Box>
      <Box
        component="button"
        type="button"
        data-copied={t('home.copied')}
        aria-label={`${t('home.copy')}: ${label}`}
        sx={COPY}
      >
        <span aria-live="polite">{t('home.copyShort')}</span>
      </Box>
    </Box>
  );
}

const PRE = {
  m: 0,
  height: '100%',
  p: 1.5,
  pt: 4.5,
  whiteSpace: 'pre-wrap',
  overflowWrap: 'anywhere',
  fontFamily: MONO,
  fontSize: 13,
  lineHeight: 1.6,
  overflowX: 'auto',
  bgcolor: 'background.default',
  border: 1,
  borderColor: 'divider',
  borderRadius: 1,
} as const;

/** The button above a block. */
export const COPY = {
  position: 'absolute',
  top: 6,
  right: 6,
  px: 1,
  py: 0.25,
  font: 'inherit',
  fontSize: 13,
  color: 'text.secondary',
  bgcolor: 'background.paper',
  border: 1,
  borderColor: 'divider',
  borderRadius: 1,
  cursor: 'pointer',
} as const;
