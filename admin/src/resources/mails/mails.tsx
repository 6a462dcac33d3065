// Mails and texts: why one was not sent, and sending it again or giving it up, alone or several together, with one answer each.
import type { AdminRow } from '@gantry/contract/http/admin.ts';
import { useAreaWords, useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Card from '@mui/material/Card';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import Typography from '@mui/material/Typography';
import { useId, useRef, useState } from 'react';
import { useDataProvider, useListContext, useNotify, usePermissions, useRecordContext, useRefresh } from 'react-admin';
import { AdminList } from '../../parts/admin-list.tsx';
import { FactList } from '../../parts/fact-list.tsx';
import { AdminShow } from '../../parts/generic-show.tsx';
import { GenericTable } from '../../parts/generic-table.tsx';
import { ReasonDialog } from '../../parts/reason-dialog.tsx';
import type { AdminData } from '../../providers/data-provider.ts';
import type { words as english } from '../../words/en/operation.ts';

type Mail = AdminRow<'mails'>;
type Command = 'retry' | 'give-up';
interface Outcome {
  id: string;
  error: string | null;
  message: string | null;
}

const FIELDS = [
  'address',
  'channel',
  'template',
  'language',
  'state',
  'failure',
  'tries',
  'created_at',
  'next_try_at',
  'useless_at',
  'sent_at',
  'failed_at',
];
/** As many as the server takes at once. */
const MOST = 100;
const NODES: Readonly<Record<Command, string>> = { retry: 'adminRetryMails', 'give-up': 'adminGiveUpMails' };
const COMMANDS: readonly Command[] = ['retry', 'give-up'];

export const List = () => (
  <AdminList>
    <GenericTable bulkActions={<BulkCommands />} />
  </AdminList>
);

export const Show = () => (
  <AdminShow actions={<OneCommands />}>
    <MailPage />
  </AdminShow>
);

function MailPage() {
  const t = useAreaWords<typeof english>('operation');
  const mail = useRecordContext<Mail>();
  if (!mail) return null;
  return (
    <Card sx={{ p: 2, display: 'grid', gap: 2 }}>
      {(mail.state === 'waiting' || mail.state === 'failed') && (
        <Alert severity={mail.can_retry ? 'info' : 'warning'}>
          {t(mail.can_retry ? `mail.${mail.state}` : 'mail.useless')}
        </Alert>
      )}
      <FactList name="mails" fields={FIELDS} />
      <Typography color="text.secondary">{t('mail.hidden')}</Typography>
    </Card>
  );
}

export function BulkCommands() {
  const { selectedIds = [], onSelect } = useListContext<Mail>();
  const ids = selectedIds.map(String).slice(0, MOST);
  return (
    <Commands
      ids={ids}
      left={selectedIds.length - ids.length}
      onDone={(sent) => onSelect(selectedIds.filter((id) => !sent.includes(`${id}`)))}
    />
  );
}

function OneCommands() {
  const mail = useRecordContext<Mail>();
  if (!mail || mail.state === 'sent' || mail.state === 'givenUp') return null;
  return <Commands ids={[mail.id]} commands={mail.can_retry ? COMMANDS : ['give-up']} />;
}

function Commands({
  ids,
  left = 0,
  commands = COMMANDS,
  onDone,
}: {
  ids: readonly string[];
  /** How many more are selected than are taken at once. */
  left?: number;
  commands?: readonly Command[];
  onDone?(sent: readonly string[]): void;
}) {
  const t = useAreaWords<typeof english>('operation');
  const data = useDataProvider<AdminData>();
  const notify = useNotify();
  const refresh = useRefresh();
  const { permissions } = usePermissions<ReadonlySet<string>>();
  const [asked, setAsked] = useState<Command>();
  const [refused, setRefused] = useState<readonly Outcome[]>([]);
  const isRefused = useRef(false);
  const sent = useRef<readonly string[]>([]);
  const run = async (command: Command, reason: string) => {
    const { items } = await data.ask<{ items: Outcome[] }>(`mails/${command}`, {
      method: 'POST',
      body: { ids, reason },
    });
    sent.current = ids;
    const failed = items.filter(({ error }) => error !== null);
    isRefused.current = failed.length > 0;
    setRefused(failed);
    if (failed.length < items.length)
      notify(t(`mail.done.${command}`, { smart_count: items.length - failed.length }), { type: 'success' });
    refresh();
  };
  const unselect = () => {
    onDone?.(sent.current);
    sent.current = [];
  };
  const close = () => {
    setRefused([]);
    unselect();
  };
  return (
    <>
      {commands
        .filter((command) => permissions?.has(NODES[command]))
        .map((command) => (
          <Button
            key={command}
            size="small"
            color={command === 'give-up' ? 'error' : 'primary'}
            onClick={() => setAsked(command)}
          >
            {t(`mail.command.${command}`)}
          </Button>
        ))}
      {asked && (
        <ReasonDialog
          title={t(`mail.title.${asked}`, { smart_count: ids.length })}
          confirmLabel={t(`mail.command.${asked}`)}
          isDangerous={asked === 'give-up'}
          onConfirm={(reason) => run(asked, reason)}
          onClose={() => {
            setAsked(undefined);
            if (!isRefused.current && sent.current.length > 0) unselect();
          }}
        >
          <Typography>{t(`mail.text.${asked}`)}</Typography>
          {left > 0 && <Alert severity="info">{t('mail.first', { most: MOST, all: MOST + left })}</Alert>}
        </ReasonDialog>
      )}
      {refused.length > 0 && <Refused outcomes={refused} onClose={close} />}
    </>
  );
}

function Refused({ outcomes, onClose }: { outcomes: readonly Outcome[]; onClose(): void }) {
  const t = useAreaWords<typeof english>('operation');
  const ui = useUiWords();
  const id = useId();
  return (
    <Dialog open onClose={onClose} aria-labelledby={id} fullWidth maxWidth="sm">
      <DialogTitle id={id}>{t('mail.refused')}</DialogTitle>
      <DialogContent>
        {outcomes.map((one) => (
          <Typography key={one.id} sx={{ mb: 1 }}>
            {one.id}: {one.message}
          </Typography>
        ))}
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose} autoFocus>
          {ui('actions.close')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
