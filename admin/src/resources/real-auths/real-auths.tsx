// Real names: the list, and the review of one after the other. After a decision the next opens by itself.
import type { AdminRow } from '@gantry/contract/http/admin.ts';
import { useAreaWords } from '@gantry/ui/i18n/use-words.tsx';
import Button from '@mui/material/Button';
import { useDataProvider, useNotify, usePermissions, useRecordContext } from 'react-admin';
import { useNavigate } from 'react-router';
import { AdminList } from '../../parts/admin-list.tsx';
import { AdminShow } from '../../parts/generic-show.tsx';
import { GenericTable } from '../../parts/generic-table.tsx';
import type { AdminData } from '../../providers/data-provider.ts';
import { resourceOf } from '../../tables.ts';
import type { words as english } from '../../words/en/audit.ts';
import { Review } from './review.tsx';

export const List = () => (
  <AdminList filterDefaultValues={{ state: ['pending', 'manualReview'] }} actions={<StartButton />}>
    <GenericTable />
  </AdminList>
);

export const Show = () => (
  <AdminShow>
    <ReviewOfRecord />
  </AdminShow>
);

function ReviewOfRecord() {
  const row = useRecordContext<AdminRow<'real-auths'> & { version?: string }>();
  const { permissions } = usePermissions<ReadonlySet<string>>();
  if (!row) return null;
  // Another submission begins anew, with its pictures as they are.
  return <Review key={row.id} row={row} mayDecide={permissions?.has('adminAuditRealAuth') ?? false} />;
}

/** Opens the oldest that waits. */
function StartButton() {
  const t = useAreaWords<typeof english>('audit');
  const data = useDataProvider<AdminData>();
  const navigate = useNavigate();
  const notify = useNotify();
  const start = async () => {
    const { data: waiting } = await data.getList<AdminRow<'real-auths'>>(resourceOf('real-auths'), {
      pagination: { page: 1, perPage: 1 },
      sort: { field: 'submitted_at', order: 'ASC' },
      filter: { state: ['pending', 'manualReview'] },
    });
    const [oldest] = waiting;
    if (oldest) await navigate(`/${resourceOf('real-auths')}/${encodeURIComponent(oldest.id)}/show`);
    else notify(t('queue.empty'));
  };
  return (
    <Button variant="contained" size="small" onClick={() => void start()}>
      {t('queue.start')}
    </Button>
  );
}
