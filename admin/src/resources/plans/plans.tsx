// Which organisation has which plan, and giving one.
import type { AdminRow } from '@gantry/contract/http/admin.ts';
import Button from '@mui/material/Button';
import MenuItem from '@mui/material/MenuItem';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useDataProvider, usePermissions, useRecordContext, useRefresh } from 'react-admin';
import { DocumentBody } from '../../parts/document-body.tsx';
import { drawerPages } from '../../parts/drawer-pages.tsx';
import { ReasonDialog } from '../../parts/reason-dialog.tsx';
import { useBillingWords } from '../../parts/use-billing-words.ts';
import { type GivenAnswer, useGiven } from '../../parts/use-given.ts';
import type { AdminData } from '../../providers/data-provider.ts';
import { useTableWords } from '../../table-words.ts';
import { resourceOf, tableOf } from '../../tables.ts';

type Plan = AdminRow<'plans'>;

const Body = () => <DocumentBody name="plans" />;

export const { List, Show } = drawerPages({ Body, Commands });

function Commands() {
  const t = useBillingWords();
  const row = useRecordContext<Plan>();
  const { permissions } = usePermissions<ReadonlySet<string>>();
  const [isAsked, setAsked] = useState(false);
  if (!row || !permissions?.has('adminGivePlan')) return null;
  return (
    <>
      <Button onClick={() => setAsked(true)}>{t('plan.give')}</Button>
      {isAsked && <GivePlan row={row} onClose={() => setAsked(false)} />}
    </>
  );
}

function GivePlan({ row, onClose }: { row: Plan; onClose(): void }) {
  const t = useBillingWords();
  const words = useTableWords('plans');
  const data = useDataProvider<AdminData>();
  const given = useGiven();
  const refresh = useRefresh();
  const [plan, setPlan] = useState<string>(row.plan);
  const send = async (reason: string) => {
    // The row names its version: whoever changed it meanwhile is not overwritten.
    const params = { id: row.id, data: { ...row, plan, reason }, previousData: row };
    const { data: answer } = await data.update(resourceOf('plans'), params);
    given(answer as GivenAnswer, t('plan.done'));
    refresh();
  };
  return (
    <ReasonDialog
      title={t('plan.title', { name: row.name })}
      confirmLabel={t('plan.give')}
      onConfirm={send}
      onClose={onClose}
    >
      <Typography>{t('plan.text')}</Typography>
      <TextField select label={t('plan.plan')} value={plan} onChange={({ target }) => setPlan(target.value)}>
        {(tableOf('plans').fields.plan?.choices ?? []).map((id) => (
          <MenuItem key={id} value={id}>
            {words.choice('plan', id)}
          </MenuItem>
        ))}
      </TextField>
    </ReasonDialog>
  );
}
