// The columns of the list of services.
import type { ServiceView } from '@gantry/contract/kinds/container-service.ts';
import { timeText } from '@gantry/ui/format/time.ts';
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import type { Column } from '@gantry/ui/table/data-table.tsx';
import { useMemo } from 'react';
import { costColumn, createdColumn, kindColumns } from '../../../parts/kind-columns.tsx';
import { useTaskWords } from '../../../parts/task/use-task-words.ts';
import { TwoLines } from '../../../parts/two-lines.tsx';
import { usePeople } from '../../../parts/workload/use-people.ts';
import { inRow } from '../../../parts/workload/workload-actions.tsx';
import { useDeployWords } from '../use-deploy-words.ts';
import { ServiceActions } from './service-actions.tsx';
import { ServiceUrl } from './service-url.tsx';

export function useServiceColumns(): readonly Column<ServiceView>[] {
  const t = useDeployWords();
  const task = useTaskWords();
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
          costColumn(task('columns.cost'), '9.75rem'),
          createdColumn(ui, nameOfPerson),
        ],
        actions: inRow(ServiceActions),
      }),
    [t, task, ui, nameOfPerson],
  );
}
