// Whether everybody is shown a model or a dataset: said above its facts, and changed with a reason. One that is not in order is neither
// shelved nor unshelved.
import type { AdminRow } from '@gantry/contract/http/admin.ts';
import { useAreaWords } from '@gantry/ui/i18n/use-words.tsx';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Card from '@mui/material/Card';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useDataProvider, useNotify, usePermissions, useRecordContext, useRefresh } from 'react-admin';
import type { AdminData } from '../providers/data-provider.ts';
import type { words as english } from '../words/en/operation.ts';
import { FactList } from './fact-list.tsx';
import { AdminShow } from './generic-show.tsx';
import { ReasonDialog } from './reason-dialog.tsx';

/** What has a shelf, with the routes that change it. */
const ROUTES = {
  models: { shelve: 'adminShelveModel', unshelve: 'adminUnshelveModel' },
  datasets: { shelve: 'adminShelveDataset', unshelve: 'adminUnshelveDataset' },
} as const;
type Shelved = keyof typeof ROUTES;
type Row = AdminRow<Shelved>;

export const ShelvedShow = ({ name, fields }: { name: Shelved; fields: readonly string[] }) => (
  <AdminShow actions={<Shelving name={name} />}>
    <Facts name={name} fields={fields} />
  </AdminShow>
);

function Facts({ name, fields }: { name: Shelved; fields: readonly string[] }) {
  const t = useAreaWords<typeof english>('operation');
  const row = useRecordContext<Row>();
  if (!row) return null;
  return (
    <Box sx={{ display: 'grid', gap: 2 }}>
      {row.state !== 'ready' && <Alert severity="warning">{t(`shelf.${name}.notReady`)}</Alert>}
      {!row.can_shelve && <Alert severity="info">{t(`shelf.${name}.ofTenant`)}</Alert>}
      <Card sx={{ p: 2 }}>
        <FactList name={name} fields={fields} />
      </Card>
    </Box>
  );
}

function Shelving({ name }: { name: Shelved }) {
  const t = useAreaWords<typeof english>('operation');
  const row = useRecordContext<Row>();
  const { permissions } = usePermissions<ReadonlySet<string>>();
  const [isAsked, setAsked] = useState(false);
  if (!row) return null;
  const command = row.shelved ? 'unshelve' : 'shelve';
  if (!permissions?.has(ROUTES[name][command])) return null;
  // A tenant's that came onto the shelf while staff owned it can still be taken from it.
  const isPossible = row.state === 'ready' && (row.shelved || row.can_shelve);
  return (
    <>
      <Button disabled={!isPossible} onClick={() => setAsked(true)}>
        {t(`shelf.${command}`)}
      </Button>
      {isAsked && <Question path={name} row={row} command={command} onClose={() => setAsked(false)} />}
    </>
  );
}

interface QuestionProps {
  path: Shelved;
  row: Row;
  command: 'shelve' | 'unshelve';
  onClose(): void;
}

function Question({ path, row: { id, name }, command, onClose }: QuestionProps) {
  const t = useAreaWords<typeof english>('operation');
  const data = useDataProvider<AdminData>();
  const notify = useNotify();
  const refresh = useRefresh();
  const send = async (reason: string) => {
    await data.ask(`${path}/${encodeURIComponent(id)}/${command}`, { method: 'POST', body: { reason } });
    notify(t(`shelf.done.${command}`), { type: 'success' });
    refresh();
  };
  return (
    <ReasonDialog
      title={t(`shelf.title.${command}`, { name })}
      confirmLabel={t(`shelf.${command}`)}
      isDangerous={command === 'unshelve'}
      onConfirm={send}
      onClose={onClose}
    >
      <Typography>{t(`shelf.text.${command}`)}</Typography>
    </ReasonDialog>
  );
}
