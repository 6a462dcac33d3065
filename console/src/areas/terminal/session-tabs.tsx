// The own sessions in this instance, one of which the screen shows: to change to another, to begin one, to end one.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useCall, useCommand } from '@gantry/ui/client/use-api.tsx';
import { useMay } from '@gantry/ui/session/permission.tsx';
import { ConfirmDialog } from '@gantry/ui/widgets/confirm-dialog.tsx';
import Add from '@mui/icons-material/AddOutlined';
import Close from '@mui/icons-material/CloseOutlined';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import Tab from '@mui/material/Tab';
import Tabs from '@mui/material/Tabs';
import { useEffect, useState } from 'react';
import { NEW, type Shell } from './use-shell.ts';
import { useTerminalWords } from './use-terminal-words.ts';

export function SessionTabs({ id, shell }: { id: string; shell: Shell }) {
  const t = useTerminalWords();
  const { session, attach } = shell;
  const { status } = shell.state;
  const [ending, setEnding] = useState<string>();
  const canOpen = useMay()('openTerminal');
  const { data: sessions = [], refetch } = useCall(
    CALLS.listTerminalSessions,
    { params: { id } },
    { everyMs: 30_000, enabled: canOpen },
  );
  const end = useCommand(CALLS.endTerminalSession, { success: false });
  // biome-ignore lint/correctness/useExhaustiveDependencies: another session, or another state of it, is another list
  useEffect(() => {
    if (canOpen) void refetch();
  }, [canOpen, session, status, refetch]);
  // A shell that ends with its page has no others beside it.
  if (!canOpen || (status === 'connected' && session === undefined)) return null;
  const shown = sessions.some((one) => one.id === session) ? session : false;
  return (
    <Box
      component="nav"
      aria-label={t('sessions.label')}
      sx={{ display: 'flex', alignItems: 'center', px: 1, borderBottom: '1px solid', borderColor: 'divider' }}
    >
      <Tabs
        value={shown}
        onChange={(_, next: string) => attach(next)}
        variant="scrollable"
        scrollButtons="auto"
        allowScrollButtonsMobile
        sx={{ minHeight: 40, minWidth: 0 }}
      >
        {sessions.map((one, at) => (
          <Tab
            key={one.id}
            value={one.id}
            label={t('sessions.name', { number: at + 1 })}
            sx={{ minHeight: 40, textTransform: 'none' }}
          />
        ))}
      </Tabs>
      {shown !== false && (
        <IconButton
          size="small"
          aria-label={t('sessions.end')}
          title={t('sessions.end')}
          onClick={() => setEnding(shown)}
        >
          <Close fontSize="small" />
        </IconButton>
      )}
      <Button
        size="small"
        startIcon={<Add />}
        disabled={status === 'connecting'}
        onClick={() => attach(NEW)}
        sx={{ whiteSpace: 'nowrap', flexShrink: 0 }}
      >
        {t('sessions.new')}
      </Button>
      {ending !== undefined && (
        <ConfirmDialog
          title={t('sessions.endTitle')}
          lost={[t('leave.lost')]}
          kept={[t('leave.kept')]}
          confirmLabel={t('sessions.end')}
          isDangerous
          isBusy={end.isPending}
          error={end.error}
          onConfirm={() =>
            end.mutate(
              { params: { id, session: ending } },
              {
                onSuccess: () => {
                  setEnding(undefined);
                  void refetch();
                },
              },
            )
          }
          onClose={() => setEnding(undefined)}
        />
      )}
    </Box>
  );
}
