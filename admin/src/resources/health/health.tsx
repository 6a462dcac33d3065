// How the platform's own parts are, read again every ten seconds: what is wrong comes first, with what to do about it.

import type { HealthState } from '@gantry/contract/areas/settings/admin-operation.ts';
import type { AdminRow } from '@gantry/contract/http/admin.ts';
import { useAreaWords } from '@gantry/ui/i18n/use-words.tsx';
import { PhaseChip } from '@gantry/ui/widgets/phase-chip.tsx';
import { ErrorState } from '@gantry/ui/widgets/states.tsx';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Card from '@mui/material/Card';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import Typography from '@mui/material/Typography';

import { TimeText } from '../../parts/field-value.tsx';
import { PageLoading } from '../../parts/page-loading.tsx';
import { useAsk } from '../../parts/use-ask.ts';
import { useTableWords } from '../../table-words.ts';
import type { words as english } from '../../words/en/operation.ts';

type Row = AdminRow<'health'>;

const EVERY_MS = 10_000;
const TONES = { ok: 'good', warning: 'warning', down: 'bad', unknown: 'neutral' } as const satisfies Record<
  HealthState,
  string
>;
const WORST: readonly HealthState[] = ['down', 'warning', 'unknown', 'ok'];

export function List() {
  const t = useAreaWords<typeof english>('operation');
  const words = useTableWords('health');
  const { data, error, refetch } = useAsk<Row[]>('health', { everyMs: EVERY_MS });
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <PageLoading />;
  const rows = data.toSorted((a, b) => WORST.indexOf(a.state) - WORST.indexOf(b.state));
  const isFine = rows.every(({ state }) => state === 'ok');
  return (
    <Box sx={{ display: 'grid', gap: 2, pt: 2 }}>
      <Alert severity={isFine ? 'success' : 'warning'}>{t(isFine ? 'health.fine' : 'health.trouble')}</Alert>
      <Card sx={{ overflowX: 'auto' }}>
        <Table>
          <TableHead>
            <TableRow>
              {['component', 'name', 'state', 'version', 'since', 'seen_at'].map((field) => (
                <TableCell key={field}>{words.label(field)}</TableCell>
              ))}
            </TableRow>
          </TableHead>
          <TableBody>
            {rows.map((row) => (
              <HealthRow key={row.id} row={row} />
            ))}
          </TableBody>
        </Table>
      </Card>
    </Box>
  );
}

function HealthRow({ row }: { row: Row }) {
  const words = useTableWords('health');
  return (
    <TableRow>
      <TableCell component="th" scope="row">
        {words.choice('component', row.component)}
      </TableCell>
      {/* On a phone the table scrolls: a word that may break anywhere would make a column of letters. */}
      <TableCell sx={{ overflowWrap: 'anywhere', minWidth: 240 }}>
        {row.name}
        {row.trouble !== null && (
          <Typography variant="body2" color="text.secondary" sx={{ mt: 0.5, maxWidth: 560 }}>
            {words.choice('trouble', row.trouble)}
          </Typography>
        )}
      </TableCell>
      <TableCell>
        <PhaseChip label={words.choice('state', row.state)} tone={TONES[row.state]} />
      </TableCell>
      <TableCell>{row.version ?? '–'}</TableCell>
      <TableCell>
        <TimeText time={row.since} />
      </TableCell>
      <TableCell>
        <TimeText time={row.seen_at} />
      </TableCell>
    </TableRow>
  );
}
