// The organisation's datasets, and those that the platform offers to everybody.
import { DATASET_TYPES } from '@gantry/contract/areas/datasets/dataset-facets.ts';
import type { DatasetView } from '@gantry/contract/areas/datasets/datasets.ts';
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
import { NewDatasetDialog } from './new-dataset-dialog.tsx';
import { S3CredentialsDialog } from './s3-credentials-dialog.tsx';
import { useDatasetColumns } from './use-dataset-columns.tsx';
import { useDatasetWords } from './use-dataset-words.ts';

const TABS = [{ name: 'space' }, { name: 'library' }] as const;
type Tab = (typeof TABS)[number]['name'];
const LISTS: Readonly<Record<Tab, Call<ListFacts<DatasetView>>>> = {
  space: CALLS.listDatasets,
  library: CALLS.listDatasetLibrary,
};

export const SpacePage = () => <DatasetListPage tab="space" />;
export const LibraryPage = () => <DatasetListPage tab="library" />;

function DatasetListPage({ tab }: { tab: Tab }) {
  const t = useDatasetWords();
  const [isNew, setNew] = useState(false);
  const [isKeys, setKeys] = useState(false);
  const create = (
    <Guarded node="createDataset">
      <Button variant="contained" onClick={() => setNew(true)}>
        {t('new')}
      </Button>
    </Guarded>
  );
  return (
    <>
      <PageHeader title={t('title')} lead={t('lead')}>
        <Guarded node="setS3Credentials">
          <Button onClick={() => setKeys(true)}>{t('s3.open')}</Button>
        </Guarded>
        {create}
      </PageHeader>
      <PageTabs label={t('title')} path="/data/space" tabs={TABS} shown={tab} labelOf={(name) => t(`lists.${name}`)}>
        <DatasetList
          key={tab}
          tab={tab}
          empty={
            <EmptyState title={t(`${tab}Empty`)} hint={t(`${tab}EmptyHint`)}>
              {tab === 'space' && create}
            </EmptyState>
          }
        />
      </PageTabs>
      {isNew && <NewDatasetDialog onClose={() => setNew(false)} />}
      {isKeys && <S3CredentialsDialog onClose={() => setKeys(false)} />}
    </>
  );
}

function DatasetList({ tab, empty }: { tab: Tab; empty: React.ReactNode }) {
  const t = useDatasetWords();
  const filters = useFilters(['search', 'type'], { by: 'update_time', type: 'desc' });
  const columns = useDatasetColumns();
  return (
    <SpaceList
      label={t(`lists.${tab}`)}
      call={LISTS[tab]}
      columns={columns}
      filters={filters}
      searchLabel={t('search')}
      choices={() => (
        <FilterChoice
          label={t('fields.type')}
          any={t('any')}
          value={filters.values.type}
          options={DATASET_TYPES.map((type) => [type, t(`types.${type}`)])}
          onChange={(value) => filters.set('type', value)}
        />
      )}
      empty={empty}
    />
  );
}
