// The changes of a policy and their authors, newest first.

import type { ALERT_ROUTES } from '@gantry/contract/areas/alerts/alerts.ts';
import type { ItemOf } from '@gantry/contract/http/call.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useList } from '@gantry/ui/client/use-api.tsx';
import { timeText } from '@gantry/ui/format/time.ts';
import { type Column, DataTable } from '@gantry/ui/table/data-table.tsx';
import { EmptyState } from '@gantry/ui/widgets/states.tsx';
import { useMemo } from 'react';
import { Section } from '../../parts/section.tsx';
import { useAlertWords } from './use-alert-words.ts';

type Change = ItemOf<typeof ALERT_ROUTES.listPolicyChanges>;

export function PolicyChanges({ id }: { id: string }) {
  const t = useAlertWords();
  const list = useList(CALLS.listPolicyChanges, { params: { id } });
  const columns = useMemo(
    (): readonly Column<Change>[] => [
      { id: 'time', label: t('alarms.time'), cell: ({ time }) => timeText(time) },
      { id: 'account', label: t('changes.account'), cell: ({ account }) => account ?? '–' },
      { id: 'what', label: t('alarms.what'), cell: ({ label }) => label },
    ],
    [t],
  );
  return (
    <Section title={t('changes.title')} lead={t('changes.lead')}>
      <DataTable
        label={t('changes.title')}
        columns={columns}
        list={list}
        idOf={({ time, action }) => `${time} ${action}`}
        nameOf={({ label }) => label}
        empty={<EmptyState title={t('changes.none')} />}
      />
    </Section>
  );
}
