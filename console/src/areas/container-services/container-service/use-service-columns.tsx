// The columns of the list of services.
import type { ServiceView } from '@gantry/contract/kinds/container-service.ts';
import { timeText } from '@gantry/ui/format/time.ts';
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import type { Column } from '@gantry/ui/table/data-table.tsx';
import { useMemo } from 'react';
import { kindColumns } from '../../../parts/kind-columns.tsx';
import { PriceText } from '../../../parts/price-text.tsx';
import { TwoLines } from '../../../parts/two-lines.tsx';
import { usePeople } from '../../../parts/workload/use-people.ts';
import { useDeployWords } from '../use-deploy-words.ts';
import { ServiceActions } from './service-actions.tsx';
import { ServiceUrl } from './service-url.tsx';

export function useServiceColumns(): readonly Column<ServiceView>[] {
  const t = useDeployWords();
  const ui = useUiWords();
  const nameOfPerson = usePeople();
  return useMemo(
    () =>
      kindColumns(ui, {
        to: ({ id }) => `/deploy/service/${id}`,
        second: ({ image }) => image.replace(/^.*\/(?=[^/]+\/)/, ''),
        own: [
          {
            id: 'replicas',
            label: t('replicas.title'),
            width: 'minmax(10rem, 1.4fr)',
            cell: ({ replicas: { ready, wanted }, asleep_since: asleep, specification }) => {
              const second = asleep === null ? specification : t('service.asleepSince', { time: timeText(asleep) });
              return <TwoLines first={t('replicas.readyOf', { ready, wanted })} second={second} title={second} />;
            },
          },
          {
            id: 'url',
            label: t('publish.url'),
            width: 'minmax(10rem, 2.4fr)',
            cell: (service) => (
              <TwoLines
                first={<ServiceUrl service={service} />}
                second={service.access === null ? t('publish.inside') : t(`publish.accesses.${service.access}`)}
                {...(service.url !== null && { title: service.url })}
              />
            ),
          },
          {
            id: 'cost',
            label: t('columns.cost'),
            width: '9.75rem',
            align: 'end',
            cell: ({ price, cost }) => <TwoLines first={<PriceText price={price} />} second={cost ?? ''} />,
          },
          {
            id: 'created',
            label: ui('fields.createTime'),
            width: '11rem',
            sort: 'create_time',
            cell: ({ create_time: time, creator }) => (
              <TwoLines first={timeText(time)} second={nameOfPerson(creator)} title={nameOfPerson(creator)} />
            ),
            isWideOnly: true,
          },
        ],
        actions: (row) => <ServiceActions target={row} shown={1} />,
      }),
    [t, ui, nameOfPerson],
  );
}
