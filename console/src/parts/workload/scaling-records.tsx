// How many replicas something that is served was to have, newest first: by the system with its reason, or by hand.
import type { ScalingRecordView } from '@gantry/contract/http/published.ts';
import { timeText } from '@gantry/ui/format/time.ts';
import { PlainTable } from '../plain-table.tsx';
import { Section } from '../section.tsx';
import { useWorkloadWords } from './use-workload-words.ts';

export function ScalingRecords({ records }: { records: readonly ScalingRecordView[] | undefined }) {
  const t = useWorkloadWords();
  if (!records || records.length === 0) return null;
  return (
    <Section title={t('records.title')} lead={t('records.lead')}>
      <PlainTable
        label={t('records.title')}
        rows={records.map((record, at) => ({ ...record, at }))}
        keyOf={({ at }) => at}
        columns={[
          { label: t('records.time'), cell: ({ time }) => timeText(time) },
          { label: t('records.before'), cell: ({ before }) => before ?? '–', isEnd: true },
          { label: t('records.after'), cell: ({ replicas }) => replicas, isEnd: true },
          { label: t('records.by'), cell: ({ by }) => t(`records.${by}`) },
          {
            label: t('records.why'),
            cell: ({ cause_label: cause, value }) =>
              value === null
                ? (cause ?? '–')
                : t('records.measured', { cause: cause ?? '', value: `${Math.round(value * 100) / 100}` }),
          },
        ]}
      />
    </Section>
  );
}
