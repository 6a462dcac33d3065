// Images: official ones, and those of the organisation.
import { CALLS } from '@gantry/contract/http/calls.ts';
import type { ImageView } from '@gantry/contract/kinds/image.ts';
import { useList } from '@gantry/ui/client/use-api.tsx';
import { Guarded } from '@gantry/ui/session/permission.tsx';
import { DataTable } from '@gantry/ui/table/data-table.tsx';
import { useFilters } from '@gantry/ui/table/use-filters.ts';
import { PageHeader } from '@gantry/ui/widgets/page-header.tsx';
import { EmptyState, NoMatch } from '@gantry/ui/widgets/states.tsx';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import ToggleButton from '@mui/material/ToggleButton';
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup';
import { useState } from 'react';
import { Link } from 'react-router';
import { BatchActions } from '../../parts/batch-actions.tsx';
import { SearchField } from '../../parts/search-field.tsx';
import { AddImageDialog } from './add-image-dialog.tsx';
import { EditImageDialog } from './edit-image-dialog.tsx';
import { useImageColumns } from './use-image-columns.tsx';
import { useImageWords } from './use-image-words.ts';

export function ImageListPage() {
  const t = useImageWords();
  const filters = useFilters(['search', 'official', 'llm'], { by: 'create_time', type: 'desc' });
  const { values, sorting } = filters;
  const list = useList(CALLS.listImages, { query: { ...values, order_by: sorting.by, order_type: sorting.type } });
  const [edited, setEdited] = useState<ImageView>();
  const [isAdding, setAdding] = useState(false);
  const columns = useImageColumns(setEdited);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const chosen = list.items.filter(({ id }) => selected.has(id));
  const add = (
    <Guarded node="createImage">
      <Button variant="contained" onClick={() => setAdding(true)}>
        {t('add')}
      </Button>
    </Guarded>
  );
  return (
    <>
      <PageHeader title={t('title')} lead={t('lead')}>
        {add}
      </PageHeader>
      <Box role="search" sx={{ display: 'flex', flexWrap: 'wrap', gap: 1.5, mb: 2, alignItems: 'center' }}>
        <ToggleButtonGroup
          exclusive
          size="small"
          aria-label={t('title')}
          value={values.official}
          onChange={(_, official: string | null) => official !== null && filters.set('official', official)}
        >
          <ToggleButton value="">{t('all')}</ToggleButton>
          <ToggleButton value="true">{t('official')}</ToggleButton>
          <ToggleButton value="false">{t('own')}</ToggleButton>
        </ToggleButtonGroup>
        <SearchField label={t('search')} value={values.search} onSearch={(text) => filters.set('search', text)} />
        <FormControlLabel
          control={
            <Checkbox checked={values.llm === 'true'} onChange={(_, isOn) => filters.set('llm', isOn ? 'true' : '')} />
          }
          label={t('onlyLlm')}
        />
      </Box>
      {chosen.length > 0 && <BatchActions kind="image" selected={chosen} onClear={() => setSelected(new Set())} />}
      <DataTable
        label={t('title')}
        columns={columns}
        list={list}
        idOf={({ id }) => id}
        nameOf={({ name }) => name}
        sorting={sorting}
        onSort={filters.sort}
        selected={new Set(chosen.map(({ id }) => id))}
        onSelect={setSelected}
        empty={
          filters.isFiltered ? (
            <NoMatch onClear={filters.clear} />
          ) : (
            <EmptyState title={t('emptyTitle')} hint={t('emptyHint')}>
              {add}
              <Button component={Link} to="/develop/instance" variant="outlined">
                {t('toInstances')}
              </Button>
            </EmptyState>
          )
        }
      />
      {isAdding && <AddImageDialog onClose={() => setAdding(false)} />}
      {edited && <EditImageDialog image={edited} onClose={() => setEdited(undefined)} />}
    </>
  );
}
