// Verifications of the audit log's chains: the list of their results, and a new one, which runs in the background.
import type { AdminRow } from '@gantry/contract/http/admin.ts';
import { useAreaWords } from '@gantry/ui/i18n/use-words.tsx';
import Button from '@mui/material/Button';
import FormControlLabel from '@mui/material/FormControlLabel';
import Radio from '@mui/material/Radio';
import RadioGroup from '@mui/material/RadioGroup';
import Typography from '@mui/material/Typography';
import { useEffect, useState } from 'react';
import { useDataProvider, useListContext, usePermissions, useRefresh } from 'react-admin';
import { AdminList } from '../../parts/admin-list.tsx';
import { GenericTable } from '../../parts/generic-table.tsx';
import { ReasonDialog } from '../../parts/reason-dialog.tsx';
import { RowChoice } from '../../parts/row-choice.tsx';
import type { AdminData } from '../../providers/data-provider.ts';
import type { words as english } from '../../words/en/audit.ts';

const LOOK_MS = 2_000;

export const List = () => (
  <AdminList actions={<StartButton />}>
    <WhileRunning />
    <GenericTable />
  </AdminList>
);

/** Reads the list again as long as a verification runs. */
function WhileRunning() {
  const { data = [], refetch } = useListContext<AdminRow<'audit-checks'>>();
  const isRunning = data.some(({ state }) => state === 'running');
  useEffect(() => {
    if (!isRunning) return;
    const timer = setInterval(() => void refetch(), LOOK_MS);
    return () => clearInterval(timer);
  }, [isRunning, refetch]);
  return null;
}

function StartButton() {
  const t = useAreaWords<typeof english>('audit');
  const { permissions } = usePermissions<ReadonlySet<string>>();
  const [isAsked, setAsked] = useState(false);
  if (!permissions?.has('adminCheckAuditLog')) return null;
  return (
    <>
      <Button variant="contained" size="small" onClick={() => setAsked(true)}>
        {t('checks.start')}
      </Button>
      {isAsked && <Question onClose={() => setAsked(false)} />}
    </>
  );
}

function Question({ onClose }: { onClose(): void }) {
  const t = useAreaWords<typeof english>('audit');
  const data = useDataProvider<AdminData>();
  const refresh = useRefresh();
  const [whose, setWhose] = useState<'platform' | 'organization'>('platform');
  const [organization, setOrganization] = useState('');
  const begin = async (reason: string) => {
    const organization_id = whose === 'platform' ? '' : organization.trim();
    await data.ask('audit-checks', { method: 'POST', body: { organization_id, reason } });
    refresh();
  };
  return (
    <ReasonDialog title={t('checks.title')} confirmLabel={t('checks.begin')} onConfirm={begin} onClose={onClose}>
      <Typography>{t('checks.text')}</Typography>
      <RadioGroup value={whose} onChange={(_, value) => setWhose(value as typeof whose)}>
        <FormControlLabel value="platform" control={<Radio />} label={t('checks.platform')} />
        <FormControlLabel value="organization" control={<Radio />} label={t('checks.organization')} />
      </RadioGroup>
      {whose === 'organization' && (
        <RowChoice
          name="organizations"
          size="small"
          label={t('checks.organization')}
          value={organization}
          onChange={setOrganization}
        />
      )}
    </ReasonDialog>
  );
}
