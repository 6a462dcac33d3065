// Above every page while staff look at a tenant's console: whose it is, why they look, how long it lasts, and its end.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useApi } from '@gantry/ui/client/use-api.tsx';
import { leaveAtOnce } from '@gantry/ui/session/hold-reload.ts';
import { endView, readView, type ViewSession } from '@gantry/ui/session/view-session.ts';
import Visibility from '@mui/icons-material/VisibilityOutlined';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useEffect, useEffectEvent, useState } from 'react';
import { useShellWords } from './use-shell-words.ts';

const SECOND_MS = 1_000;
const BANNER_PX = 52;

export function ViewBanner() {
  const [view] = useState(readView);
  return view && view !== 'over' ? <Banner view={view} /> : null;
}

function Banner({ view }: { view: ViewSession }) {
  const t = useShellWords();
  const api = useApi();
  const [left, setLeft] = useState(() => secondsLeft(view));
  const leave = () => {
    endView();
    leaveAtOnce(() => location.replace('/login'));
  };
  const look = useEffectEvent(() => {
    const seconds = secondsLeft(view);
    setLeft(seconds);
    if (seconds <= 0) leave();
  });
  useEffect(() => {
    const timer = setInterval(() => look(), SECOND_MS);
    return () => clearInterval(timer);
  }, []);
  // Whether the server hears of it or not: in this tab it is over.
  const end = () => void api.call(CALLS.endView, {}).then(leave, leave);
  return (
    <>
      {/* A frame around the whole window: nobody takes it for a console of their own. */}
      <Box
        aria-hidden
        sx={{
          position: 'fixed',
          inset: 0,
          zIndex: (theme) => theme.zIndex.tooltip + 1,
          border: '4px solid',
          borderColor: 'warning.main',
          pointerEvents: 'none',
        }}
      />
      <Box
        component="aside"
        aria-label={t('view.label')}
        sx={{
          position: 'fixed',
          insetInline: 0,
          bottom: 0,
          zIndex: (theme) => theme.zIndex.tooltip,
          display: 'flex',
          alignItems: 'center',
          gap: 1.5,
          minHeight: BANNER_PX,
          px: 2,
          bgcolor: 'text.primary',
          color: 'background.paper',
          fontSize: 14,
          fontWeight: 600,
        }}
      >
        <Visibility fontSize="small" />
        <Box component="span" sx={{ flex: 1, minWidth: 0, overflowWrap: 'anywhere' }}>
          {t('view.text', {
            organization: view.organizationName,
            name: view.accountName,
            reason: view.reason,
            time: clockText(left),
          })}
        </Box>
        <Button size="small" variant="outlined" color="inherit" onClick={end}>
          {t('view.end')}
        </Button>
      </Box>
      {/* The end of a page is not covered. */}
      <style>{`body { padding-bottom: ${BANNER_PX}px }`}</style>
    </>
  );
}

const secondsLeft = ({ expiresAt }: ViewSession): number =>
  Math.max(0, Math.ceil((Date.parse(expiresAt) - Date.now()) / SECOND_MS));

const clockText = (seconds: number): string => `${Math.floor(seconds / 60)}:${`${seconds % 60}`.padStart(2, '0')}`;
