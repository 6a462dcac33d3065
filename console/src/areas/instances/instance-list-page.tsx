// All instances of the organisation: their state, and commands for one or for many.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { gpuInstancePhases, gpuInstanceRests } from '@gantry/contract/kinds/gpu-instance-phases.ts';
import { useLanguage, useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import { CreateButton } from '../../parts/create-button.tsx';
import { type Choice, KindListPage, statusChoice } from '../../parts/kind-list-page.tsx';
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
        <CreateButton node="createInstance" to="/develop/instance/create">
          {t('list.create')}
        </CreateButton>
      }
      empty={{
        title: t('list.emptyTitle'),
        hint: t('list.emptyHint'),
        actions: (
          <>
            <CreateButton node="createInstance" to="/develop/instance/create?preset=tryIt">
              {t('list.tryIt')}
            </CreateButton>
            <CreateButton node="createInstance" to="/develop/instance/create" variant="outlined">
              {ui('actions.create')}
            </CreateButton>
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
    statusChoice(language, { ...gpuInstancePhases, ...gpuInstanceRests }, t('list.status'), t('list.anyStatus')),
    {
      name: 'host',
      label: t('list.host'),
      any: t('list.anyHost'),
      options: hosts.map(({ id, name }) => [id, name]),
    },
  ];
}
