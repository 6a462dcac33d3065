// Who did what to a policy, newest first.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useCall } from '@gantry/ui/client/use-api.tsx';
import { timeText } from '@gantry/ui/format/time.ts';
import { EmptyState, ErrorState, LoadingRows } from '@gantry/ui/widgets/states.tsx';
import { PlainTable } from '../../parts/plain-table.tsx';
import { Section } from '../../parts/section.tsx';
import { useAlertWords } from './use-alert-words.ts';

export function PolicyChanges({ id }: { id: string }) {
  const t = useAlertWords();
  const { data, error, refetch } = useCall(CALLS.listPolicyChanges, { params: { id }, query: {} });
  return (
    <Section title={t('changes.title')} lead={t('changes.lead')}>
      {error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <LoadingRows rows={3} />
      ) : data.length === 0 ? (
        <EmptyState title={t('changes.none')} />
      ) : (
        <PlainTable
          label={t('changes.title')}
          rows={data}
          keyOf={({ time, action }) => `${time} ${action}`}
          columns={[
            { label: t('alarms.time'), cell: ({ time }) => timeText(time) },
            { label: t('changes.account'), cell: ({ account }) => account ?? '–' },
            { label: t('alarms.what'), cell: ({ label }) => label },
          ]}
        />
      )}
    </Section>
  );
}
