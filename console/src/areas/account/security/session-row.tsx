// One session.

import type { ACCOUNT_ROUTES } from '@gantry/contract/areas/identity/account.ts';
import type { ItemOf } from '@gantry/contract/http/call.ts';
import { relativeText, timeText } from '@gantry/ui/format/time.ts';
import { LOCALES } from '@gantry/ui/i18n/language.ts';
import { useLanguage } from '@gantry/ui/i18n/use-words.tsx';
import Computer from '@mui/icons-material/ComputerOutlined';
import Smartphone from '@mui/icons-material/SmartphoneOutlined';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Chip from '@mui/material/Chip';
import Typography from '@mui/material/Typography';
import { useAccountWords } from '../use-account-words.ts';
import { deviceOf } from './device-of.ts';

export type OwnSession = ItemOf<typeof ACCOUNT_ROUTES.listSessions>;

interface SessionRowProps {
  session: OwnSession;
  isEnding: boolean;
  onEnd: () => void;
}

export function SessionRow({ session, isEnding, onEnd }: SessionRowProps) {
  const t = useAccountWords();
  const language = useLanguage();
  const { browser, system, isMobile } = deviceOf(session.user_agent);
  const name =
    browser !== undefined && system !== undefined
      ? t('security.sessions.device', { browser, system })
      : (browser ?? system ?? t('security.sessions.unknown'));
  const Icon = isMobile ? Smartphone : Computer;
  const used = relativeText(session.last_used_time, Date.now(), LOCALES[language]);
  return (
    <Box
      component="li"
      sx={{
        display: 'flex',
        flexWrap: 'wrap',
        gap: 2,
        alignItems: 'center',
        py: 1.5,
        borderTop: '1px solid',
        borderColor: 'divider',
        '&:first-of-type': { borderTop: 0 },
      }}
    >
      <Icon aria-hidden color="action" />
      <Box sx={{ flex: '1 1 11rem', minWidth: 0 }}>
        <Box sx={{ display: 'flex', gap: 1, alignItems: 'center', flexWrap: 'wrap' }}>
          <Typography sx={{ fontWeight: 600 }} title={session.user_agent ?? undefined}>
            {name}
          </Typography>
          {session.is_current && (
            <Chip size="small" color="success" variant="outlined" label={t('security.sessions.current')} />
          )}
        </Box>
        <Typography variant="body2" color="text.secondary" sx={{ overflowWrap: 'anywhere' }}>
          {[
            session.ip ?? t('security.sessions.noAddress'),
            session.org_name,
            t('security.sessions.since', { time: timeText(session.create_time) }),
          ].join(' · ')}
        </Typography>
        <Typography variant="body2" color="text.secondary" title={timeText(session.last_used_time)}>
          {t('security.sessions.used', { when: used })}
        </Typography>
      </Box>
      {!session.is_current && (
        <Button
          size="small"
          color="error"
          loading={isEnding}
          onClick={onEnd}
          aria-label={t('security.sessions.endOne', { device: name })}
        >
          {t('security.sessions.end')}
        </Button>
      )}
    </Box>
  );
}
