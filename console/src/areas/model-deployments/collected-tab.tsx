// Whether a deployment collects requests and answers, and what it has collected. Only those who manage the organisation read that.
import { CALLS } from '@gantry/contract/http/calls.ts';
import type { ModelDeploymentView } from '@gantry/contract/kinds/model-deployment.ts';
import { useList } from '@gantry/ui/client/use-api.tsx';
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import { useMay } from '@gantry/ui/session/permission.tsx';
import { EmptyState, ErrorState, LoadingRows } from '@gantry/ui/widgets/states.tsx';
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import { Link } from 'react-router';
import { PlainTable } from '../../parts/plain-table.tsx';
import { Section } from '../../parts/section.tsx';
import { CollectedActions, useSumColumns } from './collected-actions.tsx';
import { useDeploymentWords } from './use-deployment-words.ts';

export function CollectedTab({ deployment }: { deployment: ModelDeploymentView }) {
  const t = useDeploymentWords();
  const may = useMay();
  const { id, data_reflow: reflow, actions } = deployment;
  const canEdit = actions.some(({ action }) => action === 'edit') && may('modelDeployment.edit');
  const toForm = canEdit && (
    <Button component={Link} to={`/model/deployment/${id}/edit`}>
      {t('collected.change')}
    </Button>
  );
  return (
    <>
      {reflow && (
        <Alert severity="info" action={toForm} sx={{ mb: 2 }}>
          {t('collected.isOn', { percent: `${reflow.percent}`, dataset: reflow.dataset })} {t('collected.readers')}
        </Alert>
      )}
      {/* Reading has no node of its own, and takes the same right. */}
      {may(CALLS.deleteCollected.id) ? (
        <Files deployment={deployment} toForm={toForm} />
      ) : (
        <EmptyState title={t('collected.title')} hint={t('collected.readers')} />
      )}
    </>
  );
}

function Files({
  deployment: { id, name, data_reflow: reflow },
  toForm,
}: {
  deployment: ModelDeploymentView;
  toForm: React.ReactNode;
}) {
  const t = useDeploymentWords();
  const ui = useUiWords();
  const sums = useSumColumns();
  const { items, total, isLoading, isEmpty, error, again, hasMore, more } = useList(CALLS.listCollectedFiles, {
    params: { id },
  });
  if (error) return <ErrorState error={error} onRetry={again} />;
  if (isLoading) return <LoadingRows />;
  if (isEmpty)
    return reflow ? (
      <EmptyState title={t('collected.noneYet')} hint={t('collected.soon')} />
    ) : (
      <EmptyState title={t('collected.isOff')} hint={`${t('collected.how')} ${t('collected.readers')}`}>
        {toForm}
      </EmptyState>
    );
  const records = hasMore ? undefined : items.reduce((all, file) => all + file.records, 0);
  return (
    <Section
      title={t('collected.title')}
      lead={t('collected.lead')}
      actions={<CollectedActions id={id} deploymentName={name} records={records} />}
    >
      <PlainTable
        label={t('collected.title')}
        rows={items}
        keyOf={({ id: file }) => file}
        columns={[
          { label: t('collected.dataset'), cell: ({ dataset }) => dataset },
          ...sums,
          {
            label: ui('fields.actions'),
            cell: ({ id: file, records: own }) => <CollectedActions id={id} file={file} records={own} />,
          },
        ]}
      />
      {hasMore && (
        <Button size="small" onClick={more}>
          {t('collected.more', { shown: `${items.length}`, total: `${total ?? items.length}` })}
        </Button>
      )}
    </Section>
  );
}
