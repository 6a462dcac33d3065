// The balance sheet, with the last proof above it.
import type { AdminRow } from '@gantry/contract/http/admin.ts';
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import { useGetList } from 'react-admin';
import { Link, useNavigate } from 'react-router';
import { AdminList } from '../../parts/admin-list.tsx';
import { TimeText } from '../../parts/field-value.tsx';
import { GenericTable } from '../../parts/generic-table.tsx';
import { useBillingWords } from '../../parts/use-billing-words.ts';
import { useTableWords } from '../../table-words.ts';
import { resourceOf } from '../../tables.ts';
import { VerifyButton } from '../proofs/verify-button.tsx';

const SEVERITY = { running: 'info', held: 'success', faulty: 'error', broken: 'warning' } as const;

export function List() {
  const navigate = useNavigate();
  return (
    <>
      <LastProof />
      <AdminList actions={<VerifyButton onStart={() => void navigate(`/${resourceOf('proofs')}`)} />}>
        <GenericTable rowClick={false} />
      </AdminList>
    </>
  );
}

function LastProof() {
  const t = useBillingWords();
  const words = useTableWords('proofs');
  const { data } = useGetList<AdminRow<'proofs'>>(resourceOf('proofs'), {
    pagination: { page: 1, perPage: 1 },
    sort: { field: 'started_at', order: 'DESC' },
  });
  if (!data) return null;
  const [last] = data;
  if (!last) return <Alert severity="warning">{t('proof.none')}</Alert>;
  return (
    <Alert
      severity={SEVERITY[last.state]}
      action={
        <Button component={Link} to={`/${resourceOf('proofs')}/${last.id}/show`} color="inherit" size="small">
          {words.one}
        </Button>
      }
    >
      {t('proof.last', { state: words.choice('state', last.state) })} · <TimeText time={last.started_at} /> ·{' '}
      {last.started_by_name || t('proof.byCommand')}
    </Alert>
  );
}
