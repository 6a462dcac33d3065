// How many replicas something that is served was to have, newest first: by the system with its reason, by hand, or the first that is known.

import type { ScalingRecordView } from '@gantry/contract/areas/container-services/container-services.ts';
import type { Call } from '@gantry/contract/http/call.ts';
import type { RouteFacts } from '@gantry/contract/http/define-route.ts';
import { useCall } from '@gantry/ui/client/use-api.tsx';
import { timeText } from '@gantry/ui/format/time.ts';
import type * as z from 'zod';
import { PlainTable } from '../plain-table.tsx';
import { Section } from '../section.tsx';
import { useWorkloadWords } from './use-workload-words.ts';

interface ScalingFacts extends RouteFacts {
  params: z.ZodObject<{ id: z.ZodString }>;
  answer: { data: z.ZodType<ScalingRecordView[]> };
}

const AGAIN_MS = 15_000;

export function ScalingRecords({ read, id }: { read: Call<ScalingFacts>; id: string }) {
  const { data } = useCall(read, { params: { id } }, { everyMs: AGAIN_MS });
  return <RecordTable records={data} />;
}

export function RecordTable({ records }: { records: readonly ScalingRecordView[] | undefined }) {
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
          {
            label: t('records.by'),
            cell: ({ by, account_name: name }) =>
              by === null ? '–' : name === null ? t(`records.${by}`) : t('records.person', { name }),
          },
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
