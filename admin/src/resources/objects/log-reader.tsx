// The logs of an object's programs, the end of one at a time. Administrators read one, for a reason that the audit log keeps with their
// name: nothing is read before it is asked.
import { sentenceOf } from '@gantry/ui/client/api-problem.ts';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Card from '@mui/material/Card';
import TextField from '@mui/material/TextField';
import { type ReactNode, useState } from 'react';
import { useDataProvider, usePermissions } from 'react-admin';
import { ReasonDialog } from '../../parts/reason-dialog.tsx';
import type { AdminData } from '../../providers/data-provider.ts';
import { TextBlock } from './about-tabs.tsx';
import { RowsTable } from './rows-table.tsx';
import { useComputingWords } from './use-computing-words.ts';

const LINES = 1_000;
/** Whatever comes after so much is not shown: lines may be of any length. */
const MOST_BYTES = 2_000_000;

interface LogReaderProps<Row> {
  rows: readonly Row[];
  nameOf: (row: Row) => string;
  /** The path of the row's log, below the resource's address. */
  pathOf: (row: Row) => string;
  queryOf?: (row: Row) => Record<string, string>;
  /** The route that reads one. */
  node: string;
  /** The noun for one row. */
  label: string;
  columns: readonly [label: string, cell: (row: Row) => ReactNode][];
  /** Shown if there are no rows. */
  none: string;
}

interface Shown {
  name: string;
  text?: string;
  error?: string;
}

export function LogReader<Row>({
  rows,
  nameOf,
  pathOf,
  queryOf = () => ({}),
  node,
  label,
  columns,
  none,
}: LogReaderProps<Row>) {
  const t = useComputingWords();
  const data = useDataProvider<AdminData>();
  const [search, setSearch] = useState('');
  const [asked, setAsked] = useState<Row>();
  const { permissions } = usePermissions<ReadonlySet<string>>();
  const mayRead = permissions?.has(node) ?? false;
  const [shown, setShown] = useState<Shown>();
  const read = async (row: Row, reason: string) => {
    const query = new URLSearchParams({
      tail: `${LINES}`,
      ...(search.trim() !== '' && { search: search.trim() }),
      ...queryOf(row),
    });
    const headers = { 'X-Reason': encodeURIComponent(reason) };
    try {
      setShown({
        name: nameOf(row),
        text: await beginningOf(await data.fetch(`${pathOf(row)}?${query}`, { headers })),
      });
    } catch (error) {
      setShown({ name: nameOf(row), error: sentenceOf(error) });
    }
  };
  return (
    <Box sx={{ display: 'grid', gap: 2 }}>
      <Alert severity="info">{t('logs.audited')}</Alert>
      <Card sx={{ p: 2, display: 'grid', gap: 2 }}>
        <TextField
          size="small"
          label={t('logs.search')}
          value={search}
          onChange={({ target }) => setSearch(target.value)}
          slotProps={{ htmlInput: { maxLength: 200 } }}
        />
        <RowsTable
          label={t('tabs.logs')}
          rows={rows}
          keyOf={nameOf}
          none={none}
          columns={[
            [label, nameOf],
            ...columns,
            [
              t('logs.read'),
              (row) => (
                <Button
                  size="small"
                  aria-label={`${t('logs.read')}: ${nameOf(row)}`}
                  disabled={!mayRead}
                  onClick={() => setAsked(row)}
                >
                  {t('logs.read')}
                </Button>
              ),
            ],
          ]}
        />
      </Card>
      {asked !== undefined && (
        <ReasonDialog
          title={`${t('logs.read')}: ${nameOf(asked)}`}
          confirmLabel={t('logs.read')}
          onConfirm={(reason) => read(asked, reason)}
          onClose={() => setAsked(undefined)}
        />
      )}
      {shown?.error !== undefined && <Alert severity="warning">{shown.error}</Alert>}
      {shown?.text !== undefined && (
        <Card sx={{ p: 2 }}>
          <TextBlock label={`${label} ${shown.name}: ${t('logs.lines', { count: LINES })}`}>
            {shown.text || t('logs.empty')}
          </TextBlock>
        </Card>
      )}
    </Box>
  );
}

async function beginningOf({ body }: Response): Promise<string> {
  const reader = body?.getReader();
  if (!reader) return '';
  const decoder = new TextDecoder();
  let text = '';
  for (let bytes = 0; bytes < MOST_BYTES; ) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value.length;
    text += decoder.decode(value, { stream: true });
  }
  await reader.cancel();
  return text;
}
