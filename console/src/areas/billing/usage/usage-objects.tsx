// Each object's usage and cost.

import type { DOCUMENT_ROUTES } from '@gantry/contract/areas/billing/documents.ts';
import type { ItemOf } from '@gantry/contract/http/call.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useList } from '@gantry/ui/client/use-api.tsx';
import { rateText } from '@gantry/ui/format/money.ts';
import { type Column, DataTable } from '@gantry/ui/table/data-table.tsx';
import { EmptyState } from '@gantry/ui/widgets/states.tsx';
import { useMemo } from 'react';
import { Section } from '../../../parts/section.tsx';
import { ObjectLink } from '../object-link.tsx';
import { useBillingWords } from '../use-billing-words.ts';
import { hoursText } from './hours-text.ts';
import type { UsageProps } from './usage-sums.tsx';

type Row = ItemOf<typeof DOCUMENT_ROUTES.showUsage>;

export function UsageObjects({ span, currency }: UsageProps) {
  const t = useBillingWords();
  const list = useList(CALLS.showUsage, { query: { ...span, by: 'object' } });
  const columns = useMemo((): readonly Column<Row>[] => {
    const hours = (id: 'gpu_hours' | 'core_hours' | 'memory_gib_hours' | 'storage_gib_hours', label: string) =>
      ({ id, label, align: 'end', width: 'minmax(10rem, 1fr)', cell: (row: Row) => hoursText(row[id]) }) as const;
    return [
      {
        id: 'object',
        label: t('usage.object'),
        width: 'minmax(10rem, 2fr)',
        cell: ({ key, name }) => <ObjectLink reference={key} name={name} />,
      },
      hours('gpu_hours', t('usage.gpuHours')),
      hours('core_hours', t('usage.coreHours')),
      hours('memory_gib_hours', t('usage.memoryHours')),
      hours('storage_gib_hours', t('usage.storageHours')),
      {
        id: 'discount',
        label: t('usage.discount'),
        align: 'end',
        cell: ({ discount }) => rateText(discount, currency),
      },
      { id: 'total', label: t('usage.cost'), align: 'end', cell: ({ total }) => rateText(total, currency) },
    ];
  }, [t, currency]);
  return (
    <Section inGrid title={t('usage.byObject')}>
      <DataTable
        label={t('usage.byObject')}
        columns={columns}
        list={list}
        idOf={({ key }) => key}
        nameOf={({ key, name }) => name || key}
        maxHeight="28rem"
        empty={<EmptyState hint={t('usage.noneHint')} />}
      />
    </Section>
  );
}
