// All hosts of the organisation.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useCall } from '@gantry/ui/client/use-api.tsx';
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import { CreateButton } from '../../parts/create-button.tsx';
import { type Choice, KindListPage } from '../../parts/kind-list-page.tsx';
import { useHostColumns } from './use-host-columns.tsx';
import { useHostWords } from './use-host-words.ts';

export function HostListPage() {
  const t = useHostWords();
  const ui = useUiWords();
  const columns = useHostColumns();
  const choices = useChoices();
  const rent = (
    <CreateButton node="createHost" to="/gpu/nodes/rent">
      {t('list.rent')}
    </CreateButton>
  );
  return (
    <KindListPage
      kind="gpuHost"
      list={CALLS.listHosts}
      columns={columns}
      title={t('list.title')}
      lead={t('list.lead')}
      search={ui('actions.search')}
      choices={choices}
      // The cost of a renewal is stated in its own question.
      single={['edit', 'renew']}
      create={rent}
      empty={{ title: t('list.emptyTitle'), hint: t('list.emptyHint'), actions: rent }}
    />
  );
}

function useChoices(): readonly Choice[] {
  const t = useHostWords();
  const ui = useUiWords();
  const { data: tags = [] } = useCall(CALLS.listHostTags, {});
  const any = t('any');
  return [
    {
      name: 'status',
      label: ui('fields.status'),
      any,
      options: (['active', 'inactive'] as const).map((value) => [value, t(`status.${value}`)]),
    },
    {
      name: 'source',
      label: t('columns.source'),
      any,
      options: (['rented', 'owned'] as const).map((value) => [value, t(`source.${value}`)]),
    },
    { name: 'tag', label: t('columns.tags'), any, options: tags.map((tag) => [tag, tag]) },
  ];
}
