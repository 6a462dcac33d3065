// A model: what it is, whose it is, and whether the library shows it.
import type { AdminRow } from '@gantry/contract/http/admin.ts';
import { useAreaWords } from '@gantry/ui/i18n/use-words.tsx';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Card from '@mui/material/Card';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useDataProvider, useNotify, usePermissions, useRecordContext, useRefresh } from 'react-admin';
import { FactList } from '../../parts/fact-list.tsx';
import { AdminShow } from '../../parts/generic-show.tsx';
import { ReasonDialog } from '../../parts/reason-dialog.tsx';
import type { AdminData } from '../../providers/data-provider.ts';
import type { words as english } from '../../words/en/operation.ts';

type Model = AdminRow<'models'>;
const FIELDS = [
  'name',
  'id',
  'organization_id',
  'state',
  'shelved',
  'shelved_at',
  'shelved_by',
  'license',
  'structure',
  'parameters',
  'quantisation',
  'latest_version',
  'version_count',
  'size_bytes',
  'downloads',
  'created_at',
  'updated_at',
];

export const Show = () => (
  <AdminShow actions={<Shelving />}>
    <ModelPage />
  </AdminShow>
);

function ModelPage() {
  const t = useAreaWords<typeof english>('operation');
  const model = useRecordContext<Model>();
  if (!model) return null;
  return (
    <Box sx={{ display: 'grid', gap: 2 }}>
      {model.state !== 'ready' && <Alert severity="warning">{t('shelf.notReady')}</Alert>}
      {!model.can_shelve && <Alert severity="info">{t('shelf.ofTenant')}</Alert>}
      <Card sx={{ p: 2 }}>
        <FactList name="models" fields={FIELDS} />
      </Card>
    </Box>
  );
}

function Shelving() {
  const t = useAreaWords<typeof english>('operation');
  const model = useRecordContext<Model>();
  const { permissions } = usePermissions<ReadonlySet<string>>();
  const [isAsked, setAsked] = useState(false);
  if (!model) return null;
  const command = model.shelved ? 'unshelve' : 'shelve';
  if (!permissions?.has(model.shelved ? 'adminUnshelveModel' : 'adminShelveModel')) return null;
  // A tenant's model that came onto the shelf while staff owned it can still be taken from it.
  const isPossible = model.state === 'ready' && (model.shelved || model.can_shelve);
  return (
    <>
      <Button disabled={!isPossible} onClick={() => setAsked(true)}>
        {t(`shelf.${command}`)}
      </Button>
      {isAsked && <Question model={model} command={command} onClose={() => setAsked(false)} />}
    </>
  );
}

function Question({
  model: { id, name },
  command,
  onClose,
}: {
  model: Model;
  command: 'shelve' | 'unshelve';
  onClose(): void;
}) {
  const t = useAreaWords<typeof english>('operation');
  const data = useDataProvider<AdminData>();
  const notify = useNotify();
  const refresh = useRefresh();
  const send = async (reason: string) => {
    await data.ask(`models/${encodeURIComponent(id)}/${command}`, { method: 'POST', body: { reason } });
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
