// Checks of the cluster: the newest report with what to do, how far a running one is, and what changed since the one before.
import { CHECK_IDS, FINDINGS, type Finding } from '@gantry/contract/doctor.ts';
import type { AdminRow } from '@gantry/contract/http/admin.ts';
import { localTime } from '@gantry/ui/format/local-time.ts';
import { useAreaWords } from '@gantry/ui/i18n/use-words.tsx';
import { PhaseChip } from '@gantry/ui/widgets/phase-chip.tsx';
import { ErrorState } from '@gantry/ui/widgets/states.tsx';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Card from '@mui/material/Card';
import LinearProgress from '@mui/material/LinearProgress';
import MenuItem from '@mui/material/MenuItem';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useEffect, useState } from 'react';
import { useDataProvider, usePermissions } from 'react-admin';
import { PageLoading } from '../../parts/page-loading.tsx';
import { ReasonDialog } from '../../parts/reason-dialog.tsx';
import { useAsk } from '../../parts/use-ask.ts';
import type { AdminData } from '../../providers/data-provider.ts';
import { useTableWords } from '../../table-words.ts';
import type { words as english } from '../../words/en/operation.ts';
import { useDoctorWords } from './use-doctor-words.ts';

type Report = AdminRow<'cluster-checks'>;
type Result = Report['results'][number];

const LOOK_MS = 2_000;
const NEWEST = `cluster-checks?${new URLSearchParams({ sort: '["started_at","DESC"]', range: '[0,9]' })}`;
const TONES = {
  problem: 'bad',
  unknown: 'neutral',
  warning: 'warning',
  ok: 'good',
  notApplicable: 'neutral',
} as const satisfies Record<Finding, string>;
const SEVERITY = {
  problem: 'error',
  unknown: 'warning',
  warning: 'warning',
  ok: 'success',
  notApplicable: 'info',
} as const;

export function List() {
  const t = useAreaWords<typeof english>('operation');
  const { data, error, refetch } = useAsk<Report[]>(NEWEST);
  const [chosen, setChosen] = useState('');
  const isRunning = data?.some(({ state }) => state === 'running') ?? false;
  useEffect(() => {
    if (!isRunning) return;
    const timer = setInterval(() => void refetch(), LOOK_MS);
    return () => clearInterval(timer);
  }, [isRunning, refetch]);
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <PageLoading />;
  const report = data.find(({ id }) => id === chosen) ?? data[0];
  const begun = () => {
    setChosen('');
    void refetch();
  };
  return (
    <Box sx={{ display: 'grid', gap: 2, pt: 2 }}>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2, alignItems: 'center' }}>
        <StartButton isRunning={isRunning} onStart={begun} />
        {report && data.length > 1 && <ReportChoice reports={data} report={report} onChoose={setChosen} />}
      </Box>
      {report ? <ReportView report={report} /> : <Alert severity="info">{t('doctor.none')}</Alert>}
    </Box>
  );
}

function ReportChoice({
  reports,
  report,
  onChoose,
}: {
  reports: readonly Report[];
  report: Report;
  onChoose(id: string): void;
}) {
  const t = useAreaWords<typeof english>('operation');
  const words = useTableWords('cluster-checks');
  return (
    <TextField
      select
      size="small"
      label={t('doctor.report')}
      value={report.id}
      onChange={({ target }) => onChoose(target.value)}
      sx={{ minWidth: 260 }}
    >
      {reports.map(({ id, started_at, state, finding }) => (
        <MenuItem key={id} value={id}>
          {localTime(started_at)} ·{' '}
          {state === 'done' && finding ? words.choice('finding', finding) : words.choice('state', state)}
        </MenuItem>
      ))}
    </TextField>
  );
}

function StartButton({ isRunning, onStart }: { isRunning: boolean; onStart(): void }) {
  const t = useAreaWords<typeof english>('operation');
  const data = useDataProvider<AdminData>();
  const { permissions } = usePermissions<ReadonlySet<string>>();
  const [isAsked, setAsked] = useState(false);
  if (!permissions?.has('adminCheckCluster')) return null;
  const begin = async (reason: string) => {
    await data.ask('cluster-checks', { method: 'POST', body: { reason } });
    onStart();
  };
  return (
    <>
      <Button variant="contained" size="small" disabled={isRunning} onClick={() => setAsked(true)}>
        {t('doctor.start')}
      </Button>
      {isAsked && (
        <ReasonDialog
          title={t('doctor.title')}
          confirmLabel={t('doctor.start')}
          onConfirm={begin}
          onClose={() => setAsked(false)}
        >
          <Typography>{t('doctor.text')}</Typography>
        </ReasonDialog>
      )}
    </>
  );
}

function ReportView({ report }: { report: Report }) {
  const t = useAreaWords<typeof english>('operation');
  const { t: doctor } = useDoctorWords();
  const isRunning = report.state === 'running';
  // The worst first; what is still being looked at comes last, in the order of the command.
  const results = report.results.toSorted((a, b) => FINDINGS.indexOf(a.finding) - FINDINGS.indexOf(b.finding));
  const open = CHECK_IDS.filter((id) => isRunning && !report.results.some(({ check }) => check === id));
  const { done, total } = report;
  return (
    <>
      {isRunning && (
        <Box role="status">
          <Typography>{t('doctor.running', { done, total })}</Typography>
          <LinearProgress
            variant="determinate"
            value={total > 0 ? (done / total) * 100 : 0}
            aria-label={t('doctor.running', { done, total })}
            sx={{ my: 1 }}
          />
        </Box>
      )}
      {report.state === 'broken' && <Alert severity="warning">{t('doctor.broken')}</Alert>}
      {report.state === 'done' && report.finding && (
        <Alert severity={SEVERITY[report.finding]}>{t(`doctor.worst.${report.finding}`)}</Alert>
      )}
      <Changes results={results} isFirst={report.results.every(({ before }) => before === null)} />
      <Card sx={{ overflowX: 'auto' }}>
        <Table>
          <TableHead>
            <TableRow>
              <TableCell>{t('doctor.check')}</TableCell>
              <TableCell>{t('doctor.finding')}</TableCell>
              <TableCell>{t('doctor.evidence')}</TableCell>
            </TableRow>
          </TableHead>
          <TableBody>
            {results.map((result) => (
              <ResultRow key={result.check} result={result} />
            ))}
            {open.map((id) => (
              <TableRow key={id}>
                <TableCell component="th" scope="row">
                  {doctor(`check.${id}.title`)}
                </TableCell>
                <TableCell>
                  <PhaseChip label={t('doctor.checking')} tone="progress" />
                </TableCell>
                <TableCell>{doctor(`check.${id}.looksAt`)}</TableCell>
              </TableRow>
            ))}
          </TableBody>
        </Table>
      </Card>
    </>
  );
}

function Changes({ results, isFirst }: { results: readonly Result[]; isFirst: boolean }) {
  const t = useAreaWords<typeof english>('operation');
  const { t: doctor } = useDoctorWords();
  if (isFirst || results.length === 0) return null;
  const changed = results.filter(({ finding, before }) => before !== null && before !== finding);
  if (changed.length === 0) return <Typography color="text.secondary">{t('doctor.unchanged')}</Typography>;
  return (
    <Alert severity="info">
      <Typography variant="h2">{t('doctor.changed')}</Typography>
      <Box component="ul" sx={{ pl: 2, m: 0 }}>
        {changed.map(({ check, finding, before }) => (
          <li key={check}>
            {t('doctor.change', {
              check: doctor(`check.${check}.title`),
              before: doctor(`finding.${before ?? finding}`),
              now: doctor(`finding.${finding}`),
            })}
          </li>
        ))}
      </Box>
    </Alert>
  );
}

function ResultRow({ result: { check, finding, found } }: { result: Result }) {
  const { t, found: evidence, todo } = useDoctorWords();
  return (
    <TableRow sx={{ verticalAlign: 'top' }}>
      <TableCell component="th" scope="row" sx={{ minWidth: 200 }}>
        {t(`check.${check}.title`)}
        <Typography variant="body2" color="text.secondary" sx={{ maxWidth: 320 }}>
          {t(`check.${check}.looksAt`)}
        </Typography>
      </TableCell>
      <TableCell>
        <PhaseChip label={t(`finding.${finding}`)} tone={TONES[finding]} />
      </TableCell>
      <TableCell sx={{ overflowWrap: 'anywhere', maxWidth: 640 }}>
        {found.map(({ reason, args }) => {
          const what = todo(reason, args);
          return (
            <Box key={`${reason}/${Object.values(args).join('/')}`} sx={{ mb: 1 }}>
              <Typography variant="body2">{evidence(reason, args)}</Typography>
              {what !== undefined && (
                <Typography variant="body2" color="text.secondary">
                  {what}
                </Typography>
              )}
            </Box>
          );
        })}
      </TableCell>
    </TableRow>
  );
}
