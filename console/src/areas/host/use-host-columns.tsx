// The columns of the list of hosts.
import type { HostView } from '@gantry/contract/kinds/gpu-host.ts';
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import type { Column } from '@gantry/ui/table/data-table.tsx';
import { PhaseChip } from '@gantry/ui/widgets/phase-chip.tsx';
import { useMemo } from 'react';
import { kindColumns } from '../../parts/kind-columns.tsx';
import { PriceText } from '../../parts/price-text.tsx';
import { TwoLines } from '../../parts/two-lines.tsx';
import { ExpiryText } from './expiry-text.tsx';
import { freeCards } from './free-cards.ts';
import { HostActions } from './host-actions.tsx';
import { useHostWords } from './use-host-words.ts';

export function useHostColumns(): readonly Column<HostView>[] {
  const t = useHostWords();
  const ui = useUiWords();
  return useMemo(
    () =>
      kindColumns(ui, {
        to: ({ id }) => `/gpu/nodes/${id}`,
        second: ({ lan_ip: address, tags }) => [address ?? t('noAddress'), ...tags].join(' · '),
        chip: ({ phase_label: label, tone, message, status }) => (
          <PhaseChip label={label} tone={tone} message={message ?? t(`status.${status}`)} />
        ),
        own: [
          {
            id: 'gpu',
            label: t('columns.gpu'),
            width: 'minmax(11rem, 1.8fr)',
            cell: (row) => <TwoLines first={row.gpu_spec} second={freeCards(row, t)} title={row.gpu_spec} />,
          },
          {
            id: 'source',
            label: t('columns.source'),
            width: '5.25rem',
            cell: ({ source }) => t(`source.${source}`),
            isWideOnly: true,
          },
          {
            id: 'expiry',
            label: t('columns.expiry'),
            width: '12rem',
            cell: (row) => (
              <TwoLines
                first={<ExpiryText host={row} />}
                second={row.source === 'rented' ? t(row.auto_renew ? 'autoRenew.on' : 'autoRenew.off') : ''}
              />
            ),
          },
          {
            id: 'cost',
            label: t('columns.cost'),
            width: '9.25rem',
            align: 'end',
            cell: ({ cost }) => <PriceText price={cost} />,
          },
        ],
        actions: (row) => <HostActions host={row} />,
      }),
    [t, ui],
  );
}
