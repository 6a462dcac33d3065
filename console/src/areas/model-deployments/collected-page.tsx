// The records that deployments have collected, including deployments that were deleted meanwhile.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useCall } from '@gantry/ui/client/use-api.tsx';
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import { useMay } from '@gantry/ui/session/permission.tsx';
import { PageHeader } from '@gantry/ui/widgets/page-header.tsx';
import { EmptyState, ErrorState, LoadingRows } from '@gantry/ui/widgets/states.tsx';
import Link from '@mui/material/Link';
import { Link as RouterLink } from 'react-router';
import { PlainTable } from '../../parts/plain-table.tsx';
import { Section } from '../../parts/section.tsx';
import { CollectedActions, useSumColumns } from './collected-actions.tsx';
import { useDeploymentWords } from './use-deployment-words.ts';

export function CollectedPage() {
  const t = useDeploymentWords();
  const ui = useUiWords();
  const sums = useSumColumns();
  // Reading has no node of its own, and takes the same right.
  const may = useMay()(CALLS.deleteCollected.id);
  const { data, error, refetch } = useCall(CALLS.listCollected, {}, { enabled: may });
  const none = <EmptyState title={t('collected.none')} hint={`${t('collected.how')} ${t('collected.readers')}`} />;
  return (
    <>
      <PageHeader title={t('collected.title')} lead={t('collected.pageLead')} />
      {!may ? (
        none
      ) : error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <LoadingRows />
      ) : data.sets.length === 0 ? (
        none
      ) : (
        <Section title={t('collected.byDeployment')} lead={t('collected.readers')}>
          <PlainTable
            label={t('collected.byDeployment')}
            rows={data.sets}
            keyOf={({ deployment }) => deployment}
            columns={[
              {
                label: t('collected.deployment'),
                cell: ({ deployment, exists }) =>
                  exists ? (
                    <Link component={RouterLink} to={`/model/deployment/${deployment}/collected`}>
                      {deployment}
                    </Link>
                  ) : (
                    t('collected.deleted', { name: deployment })
                  ),
              },
              ...sums,
              {
                label: ui('fields.actions'),
                cell: ({ deployment, records }) => <CollectedActions id={deployment} records={records} />,
              },
            ]}
          />
        </Section>
      )}
    </>
  );
}
