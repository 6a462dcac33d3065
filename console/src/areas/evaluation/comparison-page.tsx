// Several evaluations side by side. The address says which: a link to it shows the same.
import { MOST_COMPARED } from '@gantry/contract/areas/evaluation/evaluation.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useCall, useList } from '@gantry/ui/client/use-api.tsx';
import { timeText } from '@gantry/ui/format/time.ts';
import { PageHeader } from '@gantry/ui/widgets/page-header.tsx';
import { EmptyState, ErrorState, LoadingRows } from '@gantry/ui/widgets/states.tsx';
import Close from '@mui/icons-material/Close';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import MenuItem from '@mui/material/MenuItem';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { Link as RouterLink, useSearchParams } from 'react-router';
import { Section } from '../../parts/section.tsx';
import { pathOf } from './paths.ts';
import { ScoreTable } from './score-table.tsx';
import { StampTable } from './stamp-table.tsx';
import { SubjectHead } from './subject-head.tsx';
import { useEvaluationWords } from './use-evaluation-words.ts';

export function ComparisonPage() {
  const t = useEvaluationWords();
  const [query, setQuery] = useSearchParams();
  const ids = [...new Set((query.get('ids') ?? '').split(',').filter((id) => id !== ''))].slice(0, MOST_COMPARED);
  const { items } = useList(CALLS.listEvaluations, {}, { size: 1000 });
  const choose = (chosen: readonly string[]) =>
    setQuery(chosen.length === 0 ? {} : { ids: chosen.join(',') }, { replace: true });
  const nameOf = (id: string) => items.find((one) => one.id === id)?.name ?? id;
  return (
    <>
      <PageHeader title={t('compare.title')} lead={t('compare.lead')} />
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, alignItems: 'center', mb: 3 }}>
        <Box sx={{ width: '18rem', maxWidth: '100%' }}>
          {/* Not the browser's own: its arrow keys would choose at once. */}
          <TextField
            select
            fullWidth
            label={t('compare.add')}
            helperText={ids.length < MOST_COMPARED ? undefined : t('compare.full', { most: MOST_COMPARED })}
            disabled={ids.length >= MOST_COMPARED}
            value=""
            onChange={({ target }) => choose([...ids, target.value])}
          >
            {items
              .filter(({ id }) => !ids.includes(id))
              .map(({ id, name }) => (
                <MenuItem key={id} value={id}>
                  {name}
                </MenuItem>
              ))}
          </TextField>
        </Box>
        {ids.map((id) => (
          <Button
            key={id}
            variant="outlined"
            endIcon={<Close />}
            aria-label={t('compare.remove', { name: nameOf(id) })}
            onClick={() => choose(ids.filter((one) => one !== id))}
          >
            {nameOf(id)}
          </Button>
        ))}
      </Box>
      {ids.length === 0 ? (
        <EmptyState title={t('compare.none')} hint={t('compare.noneHint')} />
      ) : (
        <Compared ids={ids} nameOf={nameOf} />
      )}
    </>
  );
}

function Compared({ ids, nameOf }: { ids: readonly string[]; nameOf: (id: string) => string }) {
  const t = useEvaluationWords();
  const { data, error, refetch } = useCall(
    CALLS.compareEvaluations,
    { query: { ids: ids.join(',') } },
    { keepsPrevious: true },
  );
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <LoadingRows />;
  const unscored = ids.filter((id) => !data.columns.some(({ evaluation }) => evaluation === id));
  const columns = data.columns.map((column) => ({
    key: `${column.evaluation} ${column.subject}`,
    head: (
      <SubjectHead subject={column}>
        <Typography variant="caption" component="div">
          <Link component={RouterLink} to={pathOf({ id: column.evaluation })}>
            {column.evaluation_name}
          </Link>
          {' · '}
          <span style={{ whiteSpace: 'nowrap' }}>{timeText(column.time)}</span>
        </Typography>
      </SubjectHead>
    ),
  }));
  return (
    <>
      {unscored.length > 0 && (
        <Alert severity="info" sx={{ mb: 2 }}>
          {t('compare.unscored', { names: unscored.map(nameOf).join(', ') })}
        </Alert>
      )}
      {columns.length > 0 && (
        <>
          <Section title={t('scores.title')} lead={t('compare.rows')}>
            <ScoreTable label={t('scores.title')} columns={columns} rows={rowsOf(data)} currency={data.currency} />
          </Section>
          <Section title={t('stamps.title')} lead={t('compare.stamps')}>
            <StampTable columns={columns} subjects={data.columns} />
          </Section>
        </>
      )}
    </>
  );
}

const rowsOf = <Cell, Row extends { cells: readonly Cell[] }>({ rows }: { rows: readonly Row[] }) =>
  rows.map(({ cells, ...task }) => ({ task, cells }));
