// The logs of an object of any kind that runs programs: of the run that goes on as it is written, of ended ones what is kept.
import type { Call } from '@gantry/contract/http/call.ts';
import { KIND_CALLS } from '@gantry/contract/http/calls.ts';
import type { RunView } from '@gantry/contract/kind-api.ts';
import { sentenceOf } from '@gantry/ui/client/api-problem.ts';
import { useApi, useCall } from '@gantry/ui/client/use-api.tsx';
import { PlainField } from '@gantry/ui/form/plain-field.tsx';
import { bytesText } from '@gantry/ui/format/size.ts';
import { timeText } from '@gantry/ui/format/time.ts';
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import { EmptyState, ErrorState, LoadingRows } from '@gantry/ui/widgets/states.tsx';
import { useToast } from '@gantry/ui/widgets/toast.tsx';
import Download from '@mui/icons-material/DownloadOutlined';
import Down from '@mui/icons-material/KeyboardArrowDownOutlined';
import Up from '@mui/icons-material/KeyboardArrowUpOutlined';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import ToggleButton from '@mui/material/ToggleButton';
import Typography from '@mui/material/Typography';
import { type ReactNode, useDeferredValue, useId, useMemo, useState } from 'react';
import { type Moment, momentIn } from '../moment.ts';
import { saveFile } from '../save-file.ts';
import { SearchField } from '../search-field.tsx';
import { usePartsWords } from '../use-parts-words.ts';
import { findInLog, MOST_FOUND } from './find-in-log.ts';
import { type LogLine, MOST_LINES } from './log-lines.ts';
import { LogRows } from './log-rows.tsx';
import { type LoggedKind, type LogSource, useLog } from './use-log.ts';

interface RunLogProps {
  kind: LoggedKind;
  id: string;
  /** The run and the worker to begin with; the newest, and the first. */
  first?: { number?: number | undefined; worker?: number | undefined };
}

export function RunLog({ kind, id, first }: RunLogProps) {
  const t = usePartsWords();
  const { data: runs, error, refetch } = useCall(KIND_CALLS[kind].runs, { params: { id } });
  const [number, setNumber] = useState(first?.number);
  const [worker, setWorker] = useState(first?.worker);
  const choice = useId();
  if (!runs)
    return error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <LoadingRows rows={4} height={40} />;
  const newest = runs.find((run) => run.number === number) ?? runAt(runs, momentIn(location.search)) ?? runs[0];
  const workers = runs.filter((run) => run.number === newest?.number);
  const run = workers.find((each) => each.worker === worker) ?? newest;
  if (!run) return <EmptyState title={t('log.noRuns')} />;
  const isOfWorker = run.worker !== undefined;
  return (
    <LogOf
      key={`${run.number} ${run.worker} ${run.end_time} ${run.log !== null}`}
      source={{
        call: KIND_CALLS[kind].log as Call,
        params: { id, number: run.number },
        ...(run.worker !== undefined && { query: { worker: run.worker } }),
      }}
      file={`${id}-${run.number}${isOfWorker ? `-${run.worker}` : ''}.log`}
      name={t('log.name', { number: run.number })}
      isLive={run.end_time === null}
      kept={run.log}
    >
      <Box sx={{ width: { xs: '100%', md: '21rem' } }}>
        <PlainField id={choice} label={t('log.run')}>
          <select id={choice} value={run.number} onChange={({ target }) => setNumber(Number(target.value))}>
            {oneOfEach(runs).map((each) => (
              <option key={each.number} value={each.number}>
                {nameOf(each, t)}
              </option>
            ))}
          </select>
        </PlainField>
      </Box>
      {isOfWorker && (
        <Box sx={{ width: { xs: '100%', md: '9rem' } }}>
          <PlainField id={`${choice}-worker`} label={t('log.worker')}>
            <select
              id={`${choice}-worker`}
              value={run.worker}
              onChange={({ target }) => setWorker(Number(target.value))}
            >
              {workers.map((each) => (
                <option key={each.worker} value={each.worker}>
                  {each.worker}
                </option>
              ))}
            </select>
          </PlainField>
        </Box>
      )}
    </LogOf>
  );
}

/** The run that went on at a time. */
const runAt = (runs: readonly RunView[], moment: Moment | undefined): RunView | undefined =>
  moment &&
  runs.find(
    ({ start_time: start, end_time: end }) =>
      start !== null && Date.parse(start) <= moment.to && (end === null || Date.parse(end) >= moment.from),
  );

/** Runs of several workers are there once for each of them. */
const oneOfEach = (runs: readonly RunView[]): readonly RunView[] =>
  runs.filter(({ number }, at) => runs.findIndex((run) => run.number === number) === at);

function nameOf({ number, start_time, end_time, exit_label }: RunView, t: ReturnType<typeof usePartsWords>): string {
  if (end_time !== null) return t('log.ended', { number, time: timeText(end_time), why: exit_label ?? '' });
  return start_time === null ? t('log.waiting', { number }) : t('log.present', { number, time: timeText(start_time) });
}

interface LogOfProps {
  source: LogSource;
  /** Its file name for downloads. */
  file: string;
  name: string;
  /** The program has not ended. */
  isLive: boolean;
  kept?: RunView['log'];
  /** The choice of the log. */
  children: ReactNode;
}

/** Another source needs another key. */
export function LogOf({ source, file, name, isLive, kept, children }: LogOfProps) {
  const t = usePartsWords();
  const { lines, dropped, longest, isLoading, error, again } = useLog(source, isLive);
  // A chart's part leads here.
  const [moment] = useState(() => momentIn(location.search));
  const [isFollowed, setFollowed] = useState(!moment);
  const [isWrapped, setWrapped] = useState(false);
  const [hasTimes, setTimes] = useState(moment !== undefined);
  const [wanted, setWanted] = useState('');
  const [at, setAt] = useState(0);
  const searched = useDeferredValue(wanted);
  const found = useMemo(() => findInLog(lines, searched), [lines, lines.length, searched]);
  const current = found[Math.min(at, found.length - 1)];
  const line = useMemo(() => lineAt(lines, moment), [lines, lines.length, moment]);
  const there = line === -1 ? undefined : { line, from: NOWHERE };
  const go = (step: number) => {
    if (found.length === 0) return;
    setFollowed(false);
    setAt((Math.min(at, found.length - 1) + step + found.length) % found.length);
  };
  return (
    <>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, alignItems: 'center', mb: 1 }}>
        {children}
        <Box
          sx={{ display: 'flex', alignItems: 'center', flexGrow: { xs: 1, md: 0 }, minWidth: 0 }}
          onKeyDown={(event) => event.key === 'Enter' && go(event.shiftKey ? -1 : 1)}
        >
          <SearchField
            label={t('log.search')}
            value={wanted}
            onSearch={(text) => {
              setWanted(text);
              setAt(0);
              if (text !== '') setFollowed(false);
            }}
          />
          <IconButton aria-label={t('log.before')} disabled={found.length === 0} onClick={() => go(-1)}>
            <Up />
          </IconButton>
          <IconButton aria-label={t('log.after')} disabled={found.length === 0} onClick={() => go(1)}>
            <Down />
          </IconButton>
        </Box>
        <Typography variant="body2" color="text.secondary" aria-live="polite" sx={{ mr: 'auto' }}>
          {searched !== '' && countText(found.length, Math.min(at, found.length - 1) + 1, t)}
        </Typography>
        <Toggle label={t('log.follow')} isOn={isFollowed} onChange={setFollowed} />
        <Toggle label={t('log.wrap')} isOn={isWrapped} onChange={setWrapped} />
        <Toggle label={t('log.times')} isOn={hasTimes} onChange={setTimes} />
        <DownloadButton source={source} file={file} />
      </Box>
      {kept?.is_cut && (
        <Alert severity="info" sx={{ mb: 1 }}>
          {t('log.isCut', { size: bytesText(kept.bytes) })}
        </Alert>
      )}
      {dropped > 0 && (
        <Alert severity="info" sx={{ mb: 1 }}>
          {t('log.dropped', { count: MOST_LINES })}
        </Alert>
      )}
      {moment && !there && !isLoading && (
        <Alert severity="info" sx={{ mb: 1 }}>
          {t('log.noneAt', { start: timeText(moment.from), end: timeText(moment.to) })}
        </Alert>
      )}
      {error && <ErrorState error={error} onRetry={again} />}
      {isLoading && <LoadingRows rows={8} height={20} />}
      {lines.length > 0 && (
        <LogRows
          label={name}
          lines={lines}
          longest={longest}
          isWrapped={isWrapped}
          hasTimes={hasTimes}
          wanted={searched}
          current={searched === '' ? there : current}
          isFollowed={isFollowed}
          onLeave={() => setFollowed(false)}
        />
      )}
      {!isLoading && !error && lines.length === 0 && (
        <EmptyState title={isLive ? t('log.empty') : t('log.emptyEnded')} />
      )}
    </>
  );
}

/** The first line of that time; -1 without one. */
const lineAt = (lines: readonly LogLine[], moment: Moment | undefined): number =>
  lines.findIndex(({ at }) => moment && at !== null && Date.parse(at) >= moment.from && Date.parse(at) <= moment.to);

/** No letter of a line. */
const NOWHERE = -1;

function countText(count: number, at: number, t: ReturnType<typeof usePartsWords>): string {
  if (count === 0) return t('log.none');
  return t(count === MOST_FOUND ? 'log.foundMany' : 'log.found', { at, count });
}

interface ToggleProps {
  label: string;
  isOn: boolean;
  onChange: (isOn: boolean) => void;
}

const Toggle = ({ label, isOn, onChange }: ToggleProps) => (
  <ToggleButton value={label} size="small" selected={isOn} onChange={() => onChange(!isOn)}>
    {label}
  </ToggleButton>
);

/** The whole log with its times, as it is kept or as far as it has come. */
function DownloadButton({ source, file }: Pick<LogOfProps, 'source' | 'file'>) {
  const ui = useUiWords();
  const api = useApi();
  const toast = useToast();
  const [isUnderWay, setUnderWay] = useState(false);
  const download = async () => {
    setUnderWay(true);
    try {
      const query = { ...source.query, timestamps: 'true' };
      const answer = await api.send(source.call, { params: source.params, query });
      saveFile(await answer.blob(), file);
    } catch (error) {
      toast.error(sentenceOf(error));
    } finally {
      setUnderWay(false);
    }
  };
  return (
    <Button startIcon={<Download />} disabled={isUnderWay} onClick={() => void download()}>
      {ui('actions.download')}
    </Button>
  );
}
