// Backups: the next one, those that there are and what became of the others; and one at once.
import type { AdminRow } from '@gantry/contract/http/admin.ts';
import { useAreaWords } from '@gantry/ui/i18n/use-words.tsx';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useEffect, useState } from 'react';
import { useDataProvider, useListContext, usePermissions, useRefresh } from 'react-admin';
import { DrawerList } from '../../parts/drawer-list.tsx';
import { FactList } from '../../parts/fact-list.tsx';
import { ReasonDialog } from '../../parts/reason-dialog.tsx';
import type { AdminData } from '../../providers/data-provider.ts';
import type { words as english } from '../../words/en/operation.ts';

const LOOK_MS = 2_000;
const FACTS = ['id', 'state', 'asked_at', 'asked_by', 'begun_at', 'ended_at', 'bytes', 'rows', 'objects', 'failure'];

export const List = () => (
  <DrawerList actions={<BackUpButton />} body={<FactList name="backups" fields={FACTS} />}>
    <WhileOneIsMade />
  </DrawerList>
);

/** Reads the list again as long as one waits or is made. */
function WhileOneIsMade() {
  const { data = [], refetch } = useListContext<AdminRow<'backups'>>();
  const isMade = data.some(({ state }) => state === 'waiting' || state === 'running');
  useEffect(() => {
    if (!isMade) return;
    const timer = setInterval(() => void refetch(), LOOK_MS);
    return () => clearInterval(timer);
  }, [isMade, refetch]);
  return null;
}

function BackUpButton() {
  const t = useAreaWords<typeof english>('operation');
  const data = useDataProvider<AdminData>();
  const refresh = useRefresh();
  const { permissions } = usePermissions<ReadonlySet<string>>();
  const [isAsked, setAsked] = useState(false);
  if (!permissions?.has('adminBackUp')) return null;
  const start = async (reason: string) => {
    await data.ask('backups', { method: 'POST', body: { reason } });
    refresh();
  };
  return (
    <>
      <Button variant="contained" size="small" onClick={() => setAsked(true)}>
        {t('backup.now')}
      </Button>
      {isAsked && (
        <ReasonDialog
          title={t('backup.title')}
          confirmLabel={t('backup.now')}
          onConfirm={start}
          onClose={() => setAsked(false)}
        >
          <Typography>{t('backup.text')}</Typography>
        </ReasonDialog>
      )}
    </>
  );
}
