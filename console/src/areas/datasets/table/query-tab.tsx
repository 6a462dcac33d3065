// One SELECT over a version's table, and its answer.
import type { DatasetDetailView } from '@gantry/contract/areas/datasets/datasets.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';
import { MONO } from '@gantry/ui/theme/theme.ts';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import TextField from '@mui/material/TextField';
import { useState } from 'react';
import { useAsked } from '../../../parts/use-asked.ts';
import { useDatasetWords } from '../use-dataset-words.ts';
import { AskedState } from './asked-state.tsx';
import { CellTable } from './cell-table.tsx';
import { OfTable, type TableOf } from './of-table.tsx';

const FIRST = 'SELECT * FROM data LIMIT 20';

export const QueryTab = ({ dataset }: { dataset: DatasetDetailView }) => (
  <OfTable dataset={dataset}>{(of) => <Query of={of} />}</OfTable>
);

function Query({ of }: { of: TableOf }) {
  const t = useDatasetWords();
  const [typed, setTyped] = useState(FIRST);
  const [sql, setSql] = useState<string>();
  const run = () => typed.trim() !== '' && setSql(typed);
  return (
    <>
      <Box
        component="form"
        sx={{ display: 'grid', gap: 1, mb: 2, justifyItems: 'start' }}
        onSubmit={(event) => {
          event.preventDefault();
          run();
        }}
      >
        <TextField
          fullWidth
          multiline
          minRows={3}
          label={t('table.sql')}
          helperText={t('table.sqlHint')}
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
            event.preventDefault();
            run();
          }}
          slotProps={{ htmlInput: { spellCheck: false, style: { fontFamily: MONO } } }}
        />
        <Button type="submit" variant="contained" disabled={typed.trim() === ''}>
          {t('table.run')}
        </Button>
      </Box>
      {sql !== undefined && <Answer key={sql} of={of} sql={sql} />}
    </>
  );
}

function Answer({ of, sql }: { of: TableOf; sql: string }) {
  const t = useDatasetWords();
  const { data, error, isPreparing, refetch } = useAsked(CALLS.queryDataset, {
    params: { id: of.id, version: `${of.version}` },
    body: { sql },
  });
  if (!data || error) return <AskedState error={error} isPreparing={isPreparing} onRetry={() => void refetch()} />;
  return (
    <>
      {data.more && <Alert severity="info">{t('table.onlyFirst', { count: `${data.rows.length}` })}</Alert>}
      {data.rows.length === 0 ? (
        <Alert severity="info">{t('table.noRows')}</Alert>
      ) : (
        <CellTable label={t('table.answer')} answer={data} of={of} />
      )}
    </>
  );
}
