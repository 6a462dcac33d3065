// A node out of service and back, emptied, or an organisation's own. A drain shows before what it ends.
import type { ComputingRow, NodeAbout, NodeCommand } from '@gantry/contract/areas/kinds/admin-computing.ts';
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useDataProvider, usePermissions, useRecordContext, useRefresh } from 'react-admin';
import { PageLoading } from '../../parts/page-loading.tsx';
import { ReasonDialog } from '../../parts/reason-dialog.tsx';
import { RowChoice } from '../../parts/row-choice.tsx';
import { useAsk } from '../../parts/use-ask.ts';
import { type GivenAnswer, useGiven } from '../../parts/use-given.ts';
import type { AdminData } from '../../providers/data-provider.ts';
import { useComputingWords } from '../objects/use-computing-words.ts';
import { PodsOfTenants } from './pods-of-tenants.tsx';

type Node = ComputingRow<'nodes'>;

const possibleOn = ({ cordoned, tenancy, instances }: Node): NodeCommand[] => [
  cordoned ? 'uncordon' : 'cordon',
  'drain',
  ...(tenancy === 'shared' && instances === 0 ? (['join'] as const) : []),
  ...(tenancy === 'owned' && instances === 0 ? (['part'] as const) : []),
];

export function NodeCommands() {
  const t = useComputingWords();
  const node = useRecordContext<Node>();
  const { permissions } = usePermissions<ReadonlySet<string>>();
  const [asked, setAsked] = useState<NodeCommand>();
  if (!node || !permissions?.has('adminActNodes')) return null;
  return (
    <>
      {possibleOn(node).map((command) => (
        <Button key={command} color={command === 'drain' ? 'error' : 'primary'} onClick={() => setAsked(command)}>
          {t(`node.${command}`)}
        </Button>
      ))}
      {asked && <Question command={asked} node={node} onClose={() => setAsked(undefined)} />}
    </>
  );
}

function Question({ command, node, onClose }: { command: NodeCommand; node: Node; onClose(): void }) {
  const t = useComputingWords();
  const data = useDataProvider<AdminData>();
  const refresh = useRefresh();
  const given = useGiven();
  const [typed, setTyped] = useState('');
  const give = async (reason: string) => {
    const body = {
      action: command,
      reason,
      ...(command === 'drain' && { confirm: typed.trim() }),
      ...(command === 'join' && { organization_id: typed.trim() }),
    };
    const path = `nodes/${encodeURIComponent(node.id)}/action`;
    given(await data.ask<GivenAnswer>(path, { method: 'POST', body }), t('command.sent'));
    refresh();
  };
  return (
    <ReasonDialog
      title={t('command.title', { command: t(`node.${command}`), name: node.id })}
      confirmLabel={t(`node.${command}`)}
      isDangerous={command === 'drain'}
      isWide={command === 'drain'}
      onConfirm={give}
      onClose={onClose}
    >
      <Typography>{t(`node.${command}Text`)}</Typography>
      {command === 'drain' && <DrainPreview id={node.id} />}
      {command === 'join' && (
        <RowChoice name="organizations" label={t('node.organization')} value={typed} onChange={setTyped} />
      )}
      {command === 'drain' && (
        <TextField
          label={t('command.typeName', { name: node.id })}
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
          autoComplete="off"
          required
        />
      )}
    </ReasonDialog>
  );
}

function DrainPreview({ id }: { id: string }) {
  const t = useComputingWords();
  const { data, error } = useAsk<NodeAbout>(`nodes/${encodeURIComponent(id)}/about`);
  if (error) return <Alert severity="error">{error.message}</Alert>;
  if (!data) return <PageLoading />;
  const ended = data.pods.filter(({ after }) => after !== 'stays');
  return ended.length === 0 ? <Alert severity="success">{t('node.drainNone')}</Alert> : <PodsOfTenants pods={ended} />;
}
