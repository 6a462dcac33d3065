// The organisation's models, and those of the library: narrowed by what their files say they are.

import { MODEL_FACETS, type ModelFacet } from '@gantry/contract/areas/models/model-facets.ts';
import type { ModelView } from '@gantry/contract/areas/models/models.ts';
import type { Call } from '@gantry/contract/http/call.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';
import { Guarded } from '@gantry/ui/session/permission.tsx';
import { FilterChoice } from '@gantry/ui/table/filter-choice.tsx';
import { useFilters } from '@gantry/ui/table/use-filters.ts';
import { PageHeader } from '@gantry/ui/widgets/page-header.tsx';
import { EmptyState } from '@gantry/ui/widgets/states.tsx';
import Button from '@mui/material/Button';
import { useState } from 'react';
import { SpaceList } from '../../parts/files/space-list.tsx';
import type { ListFacts } from '../../parts/list-rows.tsx';
import { PageTabs } from '../../parts/page-tabs.tsx';
import { AddVersionDialog } from './add-version-dialog.tsx';
import { HubTokenDialog } from './hub-token-dialog.tsx';
import { useModelColumns } from './use-model-columns.tsx';
import { useModelWords } from './use-model-words.ts';

const TABS = [{ name: 'space' }, { name: 'library' }] as const;
type Tab = (typeof TABS)[number]['name'];
const LISTS: Readonly<Record<Tab, Call<ListFacts<ModelView>>>> = {
  space: CALLS.listModelSpace,
  library: CALLS.listModelLibrary,
};

export const SpacePage = () => <ModelListPage tab="space" />;
export const LibraryPage = () => <ModelListPage tab="library" />;

interface Extra {
  readonly facets?: Readonly<Partial<Record<ModelFacet, readonly { value: string; count: number }[]>>>;
}

function ModelListPage({ tab }: { tab: Tab }) {
  const t = useModelWords();
  const [isAdding, setAdding] = useState(false);
  const [isToken, setToken] = useState(false);
  return (
    <>
      <PageHeader title={t('title')} lead={t('lead')}>
        <Guarded node="setModelHubToken">
          <Button onClick={() => setToken(true)}>{t('token.open')}</Button>
        </Guarded>
        <Add onAdd={() => setAdding(true)} />
      </PageHeader>
      <PageTabs label={t('title')} path="/model/space" tabs={TABS} shown={tab} labelOf={(name) => t(`tabs.${name}`)}>
        <ModelList key={tab} tab={tab} onAdd={() => setAdding(true)} />
      </PageTabs>
      {isAdding && <AddVersionDialog onClose={() => setAdding(false)} />}
      {isToken && <HubTokenDialog onClose={() => setToken(false)} />}
    </>
  );
}

function Add({ onAdd }: { onAdd(): void }) {
  const t = useModelWords();
  return (
    <Guarded node="createModel">
      <Button variant="contained" onClick={onAdd}>
        {t('add')}
      </Button>
    </Guarded>
  );
}

function ModelList({ tab, onAdd }: { tab: Tab; onAdd(): void }) {
  const t = useModelWords();
  const filters = useFilters(['search', ...MODEL_FACETS], { by: 'update_time', type: 'desc' });
  const columns = useModelColumns();
  return (
    <SpaceList
      label={t(`tabs.${tab}`)}
      call={LISTS[tab]}
      columns={columns}
      filters={filters}
      searchLabel={t('search')}
      choices={({ facets = {} }: Extra) =>
        MODEL_FACETS.map((facet) => (
          <FilterChoice
            key={facet}
            label={t(`facets.${facet}`)}
            any={t('any')}
            value={filters.values[facet]}
            options={(facets[facet] ?? []).map(({ value, count }) => [
              value,
              t('option', { value, count: `${count}` }),
            ])}
            onChange={(value) => filters.set(facet, value)}
          />
        ))
      }
      empty={
        <EmptyState title={t(`${tab}Empty`)} hint={t(`${tab}EmptyHint`)}>
          {tab === 'space' && <Add onAdd={onAdd} />}
        </EmptyState>
      }
    />
  );
}
