// Rows in which a text stands, whatever its case: as far as one search went, and on from there.

import type { DatasetDetailView } from '@gantry/contract/areas/datasets/datasets.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';
import { numberText } from '@gantry/ui/format/number.ts';
import { EmptyState } from '@gantry/ui/widgets/states.tsx';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { useAsked } from '../../../parts/use-asked.ts';
import { useDatasetWords } from '../use-dataset-words.ts';
import { AskedState } from './asked-state.tsx';
import { CellTable } from './cell-table.tsx';
import { OfTable, type TableOf } from './of-table.tsx';
import { PAGE_ROWS } from './row-pager.tsx';

export const SearchTab = ({ dataset }: { dataset: DatasetDetailView }) => (
  <OfTable dataset={dataset}>{(of) => <Search of={of} />}</OfTable>
);

function Search({ of }: { of: TableOf }) {
  const t = useDatasetWords();
  const [params, setParams] = useSearchParams();
  const text = params.get('text') ?? '';
  const [typed, setTyped] = useState(text);
  return (
    <>
      <Box
        component="form"
        role="search"
        sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, alignItems: 'flex-start', mb: 2 }}
        onSubmit={(event) => {
          event.preventDefault();
          if (typed.trim() !== '') setParams({ version: `${of.version}`, text: typed });
        }}
      >
        <TextField
          type="search"
          label={t('table.searchText')}
          helperText={t('table.searchHint')}
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
          slotProps={{ htmlInput: { maxLength: 500 } }}
          sx={{ flex: '1 1 16rem', maxWidth: '32rem' }}
        />
        <Button type="submit" variant="contained" disabled={typed.trim() === ''}>
          {t('tabs.search')}
        </Button>
      </Box>
      {text.trim() !== '' && <Found key={text} of={of} text={text} />}
    </>
  );
}

function Found({ of, text }: { of: TableOf; text: string }) {
  const t = useDatasetWords();
  const countText = numberText;
  const [from, setFrom] = useState(0);
  const { data, error, isPreparing, refetch } = useAsked(CALLS.searchDataset, {
    params: { id: of.id, version: `${of.version}` },
    body: { text, from, size: PAGE_ROWS },
  });
  if (!data || error) return <AskedState error={error} isPreparing={isPreparing} onRetry={() => void refetch()} />;
  const { rows, next } = data;
  return (
    <>
      <Typography role="status" variant="body2" sx={{ mb: 1 }}>
        {t('table.found', { smart_count: rows.length, from: countText(from + 1) })}{' '}
        {next === null && t('table.allSearched')}
      </Typography>
      {rows.length === 0 && next === null && from === 0 && (
        <EmptyState title={t('table.noneFound')} hint={t('table.noneFoundHint')} />
      )}
      {rows.length > 0 && <CellTable label={t('tabs.search')} answer={data} numbers={data.numbers} of={of} />}
      {next !== null && (
        <Button onClick={() => setFrom(next)} sx={{ mt: 1 }}>
          {t('table.searchOn', { row: countText(next + 1) })}
        </Button>
      )}
    </>
  );
}
