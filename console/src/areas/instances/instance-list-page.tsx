// All instances of the organisation: their state, and commands for one or for many.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { gpuInstancePhases, gpuInstanceRests } from '@gantry/contract/kinds/gpu-instance-phases.ts';
import { useLanguage, useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import { Guarded } from '@gantry/ui/session/permission.tsx';
import Button from '@mui/material/Button';
import { Link } from 'react-router';
import { type Choice, KindListPage } from '../../parts/kind-list-page.tsx';
import { useHosts } from '../../parts/workload/use-hosts.ts';
import { useInstanceColumns } from './use-instance-columns.tsx';
import { useInstanceWords } from './use-instance-words.ts';

const SINGLE = ['login', 'edit', 'exportTemplate'] as const;

export function InstanceListPage() {
  const t = useInstanceWords();
  const ui = useUiWords();
  const columns = useInstanceColumns();
  const choices = useChoices();
  return (
    <KindListPage
      kind="gpuInstance"
      list={CALLS.listInstances}
      columns={columns}
      title={t('list.title')}
      lead={t('list.lead')}
      search={t('list.search')}
      choices={choices}
      single={SINGLE}
      create={
        <Guarded node="createInstance">
          <Button component={Link} to="/develop/instance/create" variant="contained">
            {t('list.create')}
          </Button>
        </Guarded>
      }
      empty={{
        title: t('list.emptyTitle'),
        hint: t('list.emptyHint'),
        actions: (
          <>
            <Guarded node="createInstance">
              <Button component={Link} to="/develop/instance/create?preset=tryIt" variant="contained">
                {t('list.tryIt')}
              </Button>
            </Guarded>
            <Guarded node="createInstance">
              <Button component={Link} to="/develop/instance/create" variant="outlined">
                {ui('actions.create')}
              </Button>
            </Guarded>
          </>
        ),
      }}
    />
  );
}

function useChoices(): readonly Choice[] {
  const t = useInstanceWords();
  const language = useLanguage();
  const hosts = useHosts();
  return [
    {
      name: 'status',
      label: t('list.status'),
      any: t('list.anyStatus'),
      options: Object.entries({ ...gpuInstancePhases, ...gpuInstanceRests }).map(([phase, { [language]: label }]) => [
        phase,
        label,
      ]),
    },
    {
      name: 'host',
      label: t('list.host'),
      any: t('list.anyHost'),
      options: hosts.map(({ id, name }) => [id, name]),
    },
  ];
}
