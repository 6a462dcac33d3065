// Rows of a dataset's table: cells are text, long ones are cut and can be read whole, and each row has an address.

import type { DatasetRowsView } from '@gantry/contract/areas/datasets/tables.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useCall } from '@gantry/ui/client/use-api.tsx';
import { numberText } from '@gantry/ui/format/number.ts';
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import { MONO } from '@gantry/ui/theme/theme.ts';
import { CopyButton } from '@gantry/ui/widgets/copy-button.tsx';
import { ErrorState, LoadingRows } from '@gantry/ui/widgets/states.tsx';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import Link from '@mui/material/Link';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import Typography from '@mui/material/Typography';
import { type ReactNode, useId, useState } from 'react';
import { Link as RouterLink } from 'react-router';
import { cellText } from '../../../parts/cell-text.ts';
import { useDatasetWords } from '../use-dataset-words.ts';

interface CellTableProps {
  label: string;
  answer: Pick<DatasetRowsView, 'columns' | 'rows' | 'cut'>;
  /** The numbers of the rows in the whole table, from 0; absent where they are no rows of it. */
  numbers?: readonly number[];
  of: { readonly id: string; readonly version: number };
  /** The row of the address. */
  marked?: number | undefined;
  head?: (column: string) => ReactNode;
  /** The rows are a sample: long cells are cut, although they cannot be read whole here. */
  isSample?: boolean;
}

/** Characters of a cell, so that its row can be seen with its neighbours. */
const MOST_SHOWN = 300;

interface Wanted {
  readonly row: number;
  readonly column: string;
}

export function CellTable({
  label,
  answer: { columns, rows, cut },
  numbers,
  of,
  marked,
  head,
  isSample = false,
}: CellTableProps) {
  const t = useDatasetWords();
  const countText = numberText;
  const [wanted, setWanted] = useState<Wanted>();
  const cuts = new Map(cut.map(([row, column, length]) => [`${row} ${column}`, length]));
  return (
    <>
      <Box
        sx={{
          ...{ overflow: 'auto', maxHeight: 'max(24rem, calc(100dvh - 20rem))', bgcolor: 'background.paper' },
          ...{ border: '1px solid', borderColor: 'divider', borderRadius: 1 },
        }}
        tabIndex={0}
        role="group"
        aria-label={label}
      >
        <Table size="small" stickyHeader aria-label={label}>
          <TableHead>
            <TableRow>
              {numbers && <TableCell align="right">{t('table.row')}</TableCell>}
              {columns.map(({ name, type }, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: two columns of an answer may have one name
                <TableCell key={at} sx={{ verticalAlign: 'bottom' }}>
                  <Box sx={{ whiteSpace: 'nowrap' }}>
                    {name} {head?.(name)}
                  </Box>
                  <Typography variant="caption" color="text.secondary">
                    {type}
                  </Typography>
                </TableCell>
              ))}
            </TableRow>
          </TableHead>
          <TableBody>
            {rows.map((row, at) => {
              const number = numbers?.[at];
              return (
                <TableRow
                  key={number ?? at}
                  selected={number !== undefined && number === marked}
                  {...(number !== undefined && number === marked && { 'aria-current': 'true' as const })}
                >
                  {number !== undefined && (
                    <TableCell align="right" sx={{ verticalAlign: 'top' }}>
                      <Link component={RouterLink} to={rowPath(of, number)}>
                        {countText(number + 1)}
                      </Link>
                    </TableCell>
                  )}
                  {row.map((value, column) => {
                    const length = cuts.get(`${at} ${column}`) ?? cellText(value).length;
                    // What cannot be read whole elsewhere is shown whole.
                    const isCut = length > MOST_SHOWN && number !== undefined;
                    const name = columns[column]?.name ?? '';
                    return (
                      // biome-ignore lint/suspicious/noArrayIndexKey: cells have no other name than their place
                      <TableCell key={column} sx={{ verticalAlign: 'top' }}>
                        <Cell value={value} most={isCut || isSample ? MOST_SHOWN : Number.POSITIVE_INFINITY} />
                        {isCut && (
                          <Button
                            size="small"
                            aria-label={`${t('table.whole', { length: countText(length) })}: ${t('table.wholeOf', { row: countText(number + 1), column: name })}`}
                            onClick={() => setWanted({ row: number, column: name })}
                          >
                            {t('table.whole', { length: countText(length) })}
                          </Button>
                        )}
                      </TableCell>
                    );
                  })}
                </TableRow>
              );
            })}
          </TableBody>
        </Table>
      </Box>
      {wanted && <WholeCell of={of} {...wanted} onClose={() => setWanted(undefined)} />}
    </>
  );
}

export const rowPath = ({ id, version }: CellTableProps['of'], row: number): string =>
  `/data/space/${id}/rows?${new URLSearchParams({ version: `${version}`, row: `${row + 1}` })}`;

/** A time or a short list stays on its line. */
const MOST_ON_A_LINE = 24;

/** Of columns, which many of them would make as narrow as a word. */
export const minWidthOf = (text: string): string => (text.length > MOST_ON_A_LINE ? '14rem' : 'max-content');

function Cell({ value, most }: { value: unknown; most: number }) {
  if (value === null)
    return (
      <Box component="em" sx={{ color: 'text.secondary' }}>
        null
      </Box>
    );
  const text = cellText(value);
  return (
    <Box sx={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere', minWidth: minWidthOf(text), maxWidth: '32rem' }}>
      {text.length > most ? `${text.slice(0, most)}…` : text}
    </Box>
  );
}

function WholeCell({ of, row, column, onClose }: Wanted & { of: CellTableProps['of']; onClose(): void }) {
  const t = useDatasetWords();
  const ui = useUiWords();
  const countText = numberText;
  const id = useId();
  const { data, error, refetch } = useCall(CALLS.getDatasetCell, {
    params: { id: of.id, version: `${of.version}` },
    query: { row, column },
  });
  const text = data && cellText(data.value);
  return (
    <Dialog open fullWidth maxWidth="md" aria-labelledby={id} onClose={onClose}>
      <DialogTitle id={id}>{t('table.wholeOf', { row: countText(row + 1), column })}</DialogTitle>
      <DialogContent>
        {error ? (
          <ErrorState error={error} onRetry={() => void refetch()} />
        ) : text === undefined ? (
          <LoadingRows />
        ) : (
          <Box component="pre" sx={{ fontFamily: MONO, whiteSpace: 'pre-wrap', overflowWrap: 'anywhere', m: 0 }}>
            {text}
          </Box>
        )}
        {data?.length != null && (
          <Typography role="note" color="text.secondary" sx={{ mt: 1 }}>
            {t('table.firstOf', { shown: countText([...`${text}`].length), length: countText(data.length) })}
          </Typography>
        )}
      </DialogContent>
      <DialogActions>
        {text !== undefined && <CopyButton text={text} label={column} />}
        <Button onClick={onClose}>{ui('actions.close')}</Button>
      </DialogActions>
    </Dialog>
  );
}
