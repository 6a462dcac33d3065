// The columns of the list of instances.
import type { InstanceView } from '@gantry/contract/kinds/gpu-instance.ts';
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import type { Column } from '@gantry/ui/table/data-table.tsx';
import { useMemo } from 'react';
import { createdColumn, kindColumns } from '../../parts/kind-columns.tsx';
import { PriceText } from '../../parts/price-text.tsx';
import { TwoLines } from '../../parts/two-lines.tsx';
import { useHosts } from '../../parts/workload/use-hosts.ts';
import { usePeople } from '../../parts/workload/use-people.ts';
import { useWorkloadWords } from '../../parts/workload/use-workload-words.ts';
import { inRow } from '../../parts/workload/workload-actions.tsx';
import { InstanceActions } from './instance-actions.tsx';
import { useInstanceWords } from './use-instance-words.ts';

export function useInstanceColumns(): readonly Column<InstanceView>[] {
  const t = useInstanceWords();
  const ui = useUiWords();
  const hosts = useHosts();
  const workload = useWorkloadWords();
  const nameOfPerson = usePeople();
  return useMemo(() => {
    const placeOf = ({ host, data_center: region }: InstanceView) =>
      host === null ? workload('place.poolOf', { region }) : (hosts.find(({ id }) => id === host)?.name ?? host);
    return kindColumns(ui, {
      to: ({ id }) => `/develop/instance/${id}`,
      second: placeOf,
      own: [
        {
          id: 'health',
          label: t('columns.health'),
          width: '6.5rem',
          cell: ({ health_label: label }) => label ?? ui('states.unknown'),
          isWideOnly: true,
        },
        {
          id: 'specification',
          label: t('columns.specification'),
          width: 'minmax(10.5rem, 1.8fr)',
          cell: ({ specification, image }) => (
            <TwoLines
              first={specification}
              second={image.replace(/^.*\/(?=[^/]+\/)/, '')}
              title={`${specification}, ${image}`}
            />
          ),
        },
        {
          id: 'price',
          label: ui('fields.price'),
          width: '9.75rem',
          align: 'end',
          cell: ({ price }) => <PriceText price={price} />,
        },
        createdColumn(ui, nameOfPerson),
      ],
      actions: inRow(InstanceActions),
    });
  }, [t, ui, hosts, workload, nameOfPerson]);
}
