// The commands that staff may give to a tenant's object now: a button each, and before it is given what it does, whom it concerns, and why.
import type { KindRow } from '@gantry/contract/areas/kinds/admin-computing.ts';
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import {
  useDataProvider,
  useNotify,
  usePermissions,
  useRecordContext,
  useRefresh,
  useResourceContext,
} from 'react-admin';
import { ReasonDialog } from '../../parts/reason-dialog.tsx';
import { useRowName } from '../../parts/row-name.tsx';
import type { AdminData } from '../../providers/data-provider.ts';
import { tableNameOf } from '../../tables.ts';
import { actNodeOf } from './act-node.ts';
import { useComputingWords } from './use-computing-words.ts';

export type Command = KindRow['commands'][number];

const isPause = ({ action }: Command) => action === 'pauseReconciling';

export function CommandBar() {
  const t = useComputingWords();
  const name = tableNameOf(useResourceContext() ?? '');
  const record = useRecordContext<KindRow>();
  const { permissions } = usePermissions<ReadonlySet<string>>();
  const [asked, setAsked] = useState<Command>();
  if (!record || !permissions?.has(actNodeOf(name))) return null;
  if (record.commands.length === 0) return <Typography color="text.secondary">{t('command.none')}</Typography>;
  return (
    <>
      {record.commands.map((command) => (
        <Button
          key={command.action}
          color={command.danger === 'destroys' ? 'error' : 'primary'}
          onClick={() => setAsked(command)}
        >
          {command.label}
        </Button>
      ))}
      {asked && <CommandDialog command={asked} record={record} onClose={() => setAsked(undefined)} />}
    </>
  );
}

function CommandDialog({ command, record, onClose }: { command: Command; record: KindRow; onClose(): void }) {
  const t = useComputingWords();
  const name = tableNameOf(useResourceContext() ?? '');
  const organization = useRowName('organizations', record.organization_id);
  const data = useDataProvider<AdminData>();
  const refresh = useRefresh();
  const notify = useNotify();
  const [typed, setTyped] = useState('');
  const give = async (reason: string) => {
    const body = { action: command.action, reason, ...(command.danger === 'destroys' && { confirm: typed.trim() }) };
    await data.ask(`${name}/${encodeURIComponent(record.id)}/action`, { method: 'POST', body });
    notify(t('command.sent'), { type: 'success' });
    refresh();
  };
  return (
    <ReasonDialog
      title={t('command.title', { command: command.label, name: record.display_name })}
      confirmLabel={command.label}
      isDangerous={command.danger !== 'none'}
      onConfirm={give}
      onClose={onClose}
    >
      <WhatItDoes command={command} />
      <Typography>{t('command.told', { organization: organization ?? record.organization_id })}</Typography>
      {command.danger === 'destroys' && (
        <TextField
          label={t('command.typeName', { name: record.name })}
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
          autoComplete="off"
          required
        />
      )}
    </ReasonDialog>
  );
}

export function WhatItDoes({ command }: { command: Command }) {
  const t = useComputingWords();
  if (isPause(command)) return <Alert severity="warning">{t('command.pause')}</Alert>;
  if (command.action === 'resumeReconciling' || command.danger === 'none') return null;
  return (
    <Alert severity={command.danger === 'destroys' ? 'error' : 'warning'}>
      {t(command.danger === 'destroys' ? 'command.destroys' : 'command.interrupts')}
    </Alert>
  );
}
