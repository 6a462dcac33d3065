// One command for the chosen objects: first what it would hit, then one answer each.
import type { KindRow, StaffBatchAnswer } from '@gantry/contract/areas/kinds/admin-computing.ts';
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import { useBulkCode } from '@gantry/ui/widgets/confirm-dialog.tsx';
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useId, useRef, useState } from 'react';
import { useDataProvider, useGetMany, useListContext, usePermissions, useRefresh } from 'react-admin';
import { PageLoading } from '../../parts/page-loading.tsx';
import { ReasonDialog } from '../../parts/reason-dialog.tsx';
import { RowName } from '../../parts/row-name.tsx';
import type { AdminData } from '../../providers/data-provider.ts';
import { tableNameOf } from '../../tables.ts';
import { batchNodeOf } from './act-node.ts';
import { type Command, WhatItDoes } from './command-bar.tsx';
import { RowsTable } from './rows-table.tsx';
import { useComputingWords } from './use-computing-words.ts';

/** As many as the server takes at once. */
const MOST = 100;

export function BulkCommands() {
  const t = useComputingWords();
  const { resource, selectedIds = [] } = useListContext<KindRow>();
  const { permissions } = usePermissions<ReadonlySet<string>>();
  const ids = selectedIds.map(String).slice(0, MOST);
  const left = selectedIds.length - ids.length;
  // The chosen ones may be on other pages.
  const { data: chosen = [], isPending } = useGetMany<KindRow>(resource, { ids });
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const [asked, setAsked] = useState<Command>();
  const menu = useId();
  if (!permissions?.has(batchNodeOf(tableNameOf(resource)))) return null;
  if (isPending) return <PageLoading />;
  const rows = chosen.filter((row) => row !== undefined);
  const commands = [...new Map(rows.flatMap((row) => row.commands).map((one) => [one.action, one])).values()];
  return (
    <>
      <Button
        size="small"
        aria-haspopup="menu"
        aria-controls={anchor ? menu : undefined}
        disabled={commands.length === 0}
        onClick={({ currentTarget }) => setAnchor(currentTarget)}
      >
        {t('bulk.label')}
      </Button>
      <Menu id={menu} anchorEl={anchor} open={anchor !== null} onClose={() => setAnchor(null)}>
        {commands.map((command) => (
          <MenuItem
            key={command.action}
            onClick={() => {
              setAnchor(null);
              setAsked(command);
            }}
          >
            {command.label}
          </MenuItem>
        ))}
      </Menu>
      {asked && <BatchDialog command={asked} rows={rows} left={left} onClose={() => setAsked(undefined)} />}
    </>
  );
}

interface BatchDialogProps {
  command: Command;
  rows: readonly KindRow[];
  /** How many more are selected than are taken at once. */
  left: number;
  onClose(): void;
}

function BatchDialog({ command, rows, left, onClose }: BatchDialogProps) {
  const t = useComputingWords();
  const ui = useUiWords();
  const { resource, selectedIds = [], onSelect } = useListContext();
  const data = useDataProvider<AdminData>();
  const refresh = useRefresh();
  const [typed, setTyped] = useState('');
  const code = useBulkCode();
  const isGiven = useRef(false);
  const [answers, setAnswers] = useState<readonly StaffBatchAnswer[]>();
  const gets = rows.filter(({ commands }) => commands.some(({ action }) => action === command.action));
  const isDestroying = command.danger === 'destroys';
  const give = async (reason: string) => {
    if (isDestroying && typed.trim() !== code) throw new Error(ui('confirm.typeToConfirm', { name: code }));
    const body = {
      action: command.action,
      ids: gets.map(({ id }) => id),
      reason,
      ...(isDestroying && { confirm: gets.map(({ name }) => name) }),
    };
    const said = await data.ask<StaffBatchAnswer[]>(`${tableNameOf(resource)}/batch`, { method: 'POST', body });
    isGiven.current = true;
    setAnswers(said);
    refresh();
  };
  if (answers)
    return (
      <Report
        answers={answers}
        onClose={() => {
          onSelect(selectedIds.filter((id) => !answers.some((answer) => answer.id === `${id}`)));
          onClose();
        }}
      />
    );
  return (
    <ReasonDialog
      title={t('bulk.title', { command: command.label, smart_count: gets.length })}
      confirmLabel={t('bulk.send')}
      isDangerous={command.danger !== 'none'}
      isWide
      onConfirm={give}
      // It closes once the command is given: then the report is shown instead.
      onClose={() => isGiven.current || onClose()}
    >
      <WhatItDoes command={command} />
      {left > 0 && <Alert severity="info">{t('bulk.first', { most: MOST, all: MOST + left })}</Alert>}
      <Typography>{t('bulk.hits', { smart_count: gets.length, all: rows.length })}</Typography>
      <RowsTable
        label={t('bulk.object')}
        rows={rows}
        keyOf={({ id }) => id}
        none=""
        columns={[
          [t('bulk.object'), ({ display_name }) => display_name],
          [t('bulk.organization'), ({ organization_id }) => <RowName of="organizations" id={organization_id} />],
          [t('bulk.state'), ({ phase_label }) => phase_label],
          [t('bulk.outcome'), (row) => t(gets.includes(row) ? 'bulk.willGet' : 'bulk.skipped')],
        ]}
      />
      {isDestroying && (
        <TextField
          label={ui('confirm.typeToConfirm', { name: code })}
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
          autoComplete="off"
          required
        />
      )}
    </ReasonDialog>
  );
}

function Report({ answers, onClose }: { answers: readonly StaffBatchAnswer[]; onClose(): void }) {
  const t = useComputingWords();
  const ui = useUiWords();
  const id = useId();
  const done = answers.filter(({ code }) => code === 0).length;
  return (
    <Dialog open onClose={onClose} aria-labelledby={id} fullWidth maxWidth="md">
      <DialogTitle id={id}>{t('bulk.report', { smart_count: done, all: answers.length })}</DialogTitle>
      <DialogContent>
        <RowsTable
          label={t('bulk.outcome')}
          rows={answers}
          keyOf={(answer) => answer.id}
          none=""
          columns={[
            [t('bulk.object'), ({ name, id: of }) => `${name} (${of})`],
            [
              t('bulk.outcome'),
              ({ code, message }) => (
                <Alert severity={code === 0 ? 'success' : 'error'} sx={{ py: 0 }}>
                  {code === 0 ? t('bulk.done') : message}
                </Alert>
              ),
            ],
          ]}
        />
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose} autoFocus>
          {ui('actions.close')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
