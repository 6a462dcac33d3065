// The organisation's models, and those of the library: narrowed by what their files say they are.

import { MODEL_FACETS, type ModelFacet } from '@gantry/contract/areas/models/model-facets.ts';
import type { ModelView } from '@gantry/contract/areas/models/models.ts';
import type { Call } from '@gantry/contract/http/call.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useList } from '@gantry/ui/client/use-api.tsx';
import { bytesText } from '@gantry/ui/format/size.ts';
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import { Guarded } from '@gantry/ui/session/permission.tsx';
import { DataTable } from '@gantry/ui/table/data-table.tsx';
import { FilterChoice } from '@gantry/ui/table/filter-choice.tsx';
import { useFilters } from '@gantry/ui/table/use-filters.ts';
import { PageHeader } from '@gantry/ui/widgets/page-header.tsx';
import { EmptyState, NoMatch } from '@gantry/ui/widgets/states.tsx';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import type { ListFacts } from '../../parts/list-rows.tsx';
import { PageTabs } from '../../parts/page-tabs.tsx';
import { SearchField } from '../../parts/search-field.tsx';
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
  readonly used_bytes?: number;
  readonly quota_bytes?: number | null;
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
  const ui = useUiWords();
  const filters = useFilters(['search', ...MODEL_FACETS], { by: 'update_time', type: 'desc' });
  const { values, sorting } = filters;
  const query = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''));
  const list = useList(LISTS[tab], { query: { ...query, order_by: sorting.by, order_type: sorting.type } });
  const columns = useModelColumns();
  const { facets = {}, used_bytes: used, quota_bytes: quota } = (list.extra ?? {}) as Extra;
  return (
    <>
      <Box
        role="search"
        sx={{
          display: 'grid',
          gap: 1.5,
          mb: 2,
          gridTemplateColumns: { xs: '1fr 1fr', md: 'repeat(auto-fill, minmax(11rem, 1fr))' },
        }}
      >
        <SearchField label={t('search')} value={values.search} onSearch={(text) => filters.set('search', text)} />
        {MODEL_FACETS.map((facet) => (
          <FilterChoice
            key={facet}
            label={t(`facets.${facet}`)}
            any={t('any')}
            value={values[facet]}
            options={(facets[facet] ?? []).map(({ value, count }) => [
              value,
              t('option', { value, count: `${count}` }),
            ])}
            onChange={(value) => filters.set(facet, value)}
          />
        ))}
        {filters.isFiltered && (
          <Button onClick={filters.clear} sx={{ justifySelf: 'start' }}>
            {ui('states.clearFilter')}
          </Button>
        )}
      </Box>
      {used !== undefined && (
        <Typography variant="body2" color="text.secondary" sx={{ mb: 1 }}>
          {t('used', { used: bytesText(used), quota: bytesText(quota) })}
        </Typography>
      )}
      <DataTable
        label={t(`tabs.${tab}`)}
        columns={columns}
        list={list}
        idOf={({ id }) => id}
        nameOf={({ name }) => name}
        sorting={sorting}
        onSort={filters.sort}
        empty={
          filters.isFiltered ? (
            <NoMatch onClear={filters.clear} />
          ) : (
            <EmptyState title={t(`${tab}Empty`)} hint={t(`${tab}EmptyHint`)}>
              {tab === 'space' && <Add onAdd={onAdd} />}
            </EmptyState>
          )
        }
      />
    </>
  );
}
