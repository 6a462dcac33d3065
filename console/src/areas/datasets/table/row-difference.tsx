// How the rows of two versions differ: known by a key, or compared as wholes. It looks at all rows, so it waits until somebody asks.

import type { DatasetRowDifferenceView } from '@gantry/contract/areas/datasets/tables.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useCall } from '@gantry/ui/client/use-api.tsx';
import { numberText } from '@gantry/ui/format/number.ts';
import Autocomplete from '@mui/material/Autocomplete';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { type ReactNode, useState } from 'react';
import { useAsked } from '../../../parts/use-asked.ts';
import { useDatasetWords } from '../use-dataset-words.ts';
import { AskedState } from './asked-state.tsx';
import { CellTable } from './cell-table.tsx';
import { ChangedRows } from './changed-rows.tsx';
import type { TableOf } from './of-table.tsx';

/** As the API takes them. */
const MOST_KEY = 8;

/** Both versions have a table. */
export function RowDifference({ of, base }: { of: TableOf; base: number }) {
  const t = useDatasetWords();
  const [key, setKey] = useState<readonly string[]>([]);
  const [asked, setAsked] = useState<readonly string[]>();
  const { data } = useCall(CALLS.getDatasetStatistics, { params: { id: of.id, version: `${of.version}` } });
  return (
    <>
      <Box
        component="form"
        sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, alignItems: 'flex-start', my: 1 }}
        onSubmit={(event) => {
          event.preventDefault();
          setAsked(key);
        }}
      >
        <Autocomplete
          multiple
          size="small"
          options={data?.columns.map(({ name }) => name) ?? []}
          value={[...key]}
          onChange={(_, chosen) => setKey(chosen.slice(0, MOST_KEY))}
          renderInput={(field) => (
            <TextField {...field} label={t('difference.key')} helperText={t('difference.keyHint')} />
          )}
          sx={{ flex: '1 1 16rem', maxWidth: '32rem' }}
        />
        <Button type="submit" variant="outlined">
          {t('difference.compareRows')}
        </Button>
      </Box>
      {asked && <Compared key={asked.join('\n')} of={of} base={base} by={asked} />}
    </>
  );
}

function Compared({ of, base, by }: { of: TableOf; base: number; by: readonly string[] }) {
  const { data, error, isPreparing, refetch } = useAsked(CALLS.compareDatasetRows, {
    params: { id: of.id, version: `${of.version}` },
    body: { with: base, ...(by.length > 0 && { key: [...by] }) },
  });
  if (!data || error) return <AskedState error={error} isPreparing={isPreparing} onRetry={() => void refetch()} />;
  return <Found of={of} base={base} by={by} found={data} />;
}

interface FoundProps {
  of: TableOf;
  base: number;
  by: readonly string[];
  found: DatasetRowDifferenceView;
}

function Found({ of, base, by, found }: FoundProps) {
  const t = useDatasetWords();
  const countText = numberText;
  const { rows, columns, changed_columns: changedColumns, added, removed, changed } = found;
  const counted = (name: 'added' | 'removed' | 'changed' | 'same') =>
    t(`difference.rowsOf.${name}`, { smart_count: rows[name], count: countText(rows[name]) });
  const names = (list: readonly { name: string; type: string }[]) =>
    list.map(({ name, type }) => `${name} (${type})`).join(', ');
  return (
    <>
      <Typography role="status">
        {[
          counted('added'),
          counted('removed'),
          ...(by.length === 0 ? [] : [counted('changed')]),
          counted('same'),
          t('difference.totals', { before: countText(rows.before), after: countText(rows.after) }),
        ].join(' · ')}
      </Typography>
      {by.length === 0 && rows.added > 0 && rows.removed > 0 && (
        <Typography variant="body2" color="text.secondary">
          {t('difference.noKey')}
        </Typography>
      )}
      {columns.added.length > 0 && <Line text={t('difference.columnsAdded', { names: names(columns.added) })} />}
      {columns.removed.length > 0 && <Line text={t('difference.columnsRemoved', { names: names(columns.removed) })} />}
      {columns.changed.length > 0 && (
        <Line
          text={t('difference.columnsChanged', {
            names: columns.changed.map(({ name, before, after }) => `${name} (${before} → ${after})`).join(', '),
          })}
        />
      )}
      {changedColumns.length > 0 && (
        <Line
          text={t('difference.changedColumns', {
            names: changedColumns.map(({ name, rows: count }) => `${name} (${countText(count)})`).join(', '),
          })}
        />
      )}
      <Sample title={t('difference.rowsAdded')} total={rows.added} shown={added.rows.length}>
        <CellTable label={t('difference.rowsAdded')} answer={added} of={of} isSample />
      </Sample>
      <Sample title={t('difference.rowsRemoved')} total={rows.removed} shown={removed.rows.length}>
        <CellTable label={t('difference.rowsRemoved')} answer={removed} of={{ id: of.id, version: base }} isSample />
      </Sample>
      <Sample title={t('difference.rowsChanged')} total={rows.changed} shown={changed.rows.length}>
        <ChangedRows label={t('difference.rowsChanged')} answer={changed} by={by} />
      </Sample>
    </>
  );
}

const Line = ({ text }: { text: string }) => (
  <Typography variant="body2" sx={{ overflowWrap: 'anywhere' }}>
    {text}
  </Typography>
);

/** Nothing where there are none. */
function Sample(props: { title: string; total: number; shown: number; children: ReactNode }) {
  const { title, total, shown, children } = props;
  const t = useDatasetWords();
  const countText = numberText;
  if (total === 0) return null;
  return (
    <Box component="details" open sx={{ mt: 1 }}>
      <Typography component="summary" sx={{ cursor: 'pointer' }}>
        {title} ({countText(total)})
      </Typography>
      {children}
      {total > shown && (
        <Typography variant="body2" color="text.secondary">
          {t('difference.firstRows', { shown: countText(shown) })}
        </Typography>
      )}
    </Box>
  );
}
