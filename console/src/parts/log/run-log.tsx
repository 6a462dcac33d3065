// The logs of an object of any kind that runs programs: of the run that goes on as it is written, of ended ones what is kept.
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
import { saveFile } from '../save-file.ts';
import { SearchField } from '../search-field.tsx';
import { usePartsWords } from '../use-parts-words.ts';
import { findInLog, MOST_FOUND } from './find-in-log.ts';
import { MOST_LINES } from './log-lines.ts';
import { LogRows } from './log-rows.tsx';
import { type LoggedKind, useLog } from './use-log.ts';

export function RunLog({ kind, id }: { kind: LoggedKind; id: string }) {
  const t = usePartsWords();
  const { data: runs, error, refetch } = useCall(KIND_CALLS[kind].runs, { params: { id } });
  const [chosen, setChosen] = useState<number>();
  const choice = useId();
  if (!runs)
    return error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <LoadingRows rows={4} height={40} />;
  const run = runs.find(({ number }) => number === chosen) ?? runs[0];
  if (!run) return <EmptyState title={t('log.noRuns')} />;
  return (
    <LogOfRun key={`${run.number} ${run.end_time} ${run.log !== null}`} kind={kind} id={id} run={run}>
      <Box sx={{ width: { xs: '100%', md: '21rem' } }}>
        <PlainField id={choice} label={t('log.run')}>
          <select id={choice} value={run.number} onChange={({ target }) => setChosen(Number(target.value))}>
            {runs.map((each) => (
              <option key={each.number} value={each.number}>
                {nameOf(each, t)}
              </option>
            ))}
          </select>
        </PlainField>
      </Box>
    </LogOfRun>
  );
}

function nameOf({ number, start_time, end_time, exit_label }: RunView, t: ReturnType<typeof usePartsWords>): string {
  if (end_time !== null) return t('log.ended', { number, time: timeText(end_time), why: exit_label ?? '' });
  return start_time === null ? t('log.waiting', { number }) : t('log.present', { number, time: timeText(start_time) });
}

interface LogOfRunProps {
  kind: LoggedKind;
  id: string;
  run: RunView;
  /** The choice of the run. */
  children: ReactNode;
}

function LogOfRun({ kind, id, run, children }: LogOfRunProps) {
  const t = usePartsWords();
  const { number, end_time, log: kept } = run;
  const isLive = end_time === null;
  const { lines, dropped, longest, isLoading, error, again } = useLog(kind, id, number, isLive);
  const [isFollowed, setFollowed] = useState(true);
  const [isWrapped, setWrapped] = useState(false);
  const [hasTimes, setTimes] = useState(false);
  const [wanted, setWanted] = useState('');
  const [at, setAt] = useState(0);
  const searched = useDeferredValue(wanted);
  const found = useMemo(() => findInLog(lines, searched), [lines, lines.length, searched]);
  const current = found[Math.min(at, found.length - 1)];
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
        <DownloadButton kind={kind} id={id} number={number} />
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
      {error && <ErrorState error={error} onRetry={again} />}
      {isLoading && <LoadingRows rows={8} height={20} />}
      {lines.length > 0 && (
        <LogRows
          label={t('log.name', { number })}
          lines={lines}
          longest={longest}
          isWrapped={isWrapped}
          hasTimes={hasTimes}
          wanted={searched}
          current={searched === '' ? undefined : current}
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
function DownloadButton({ kind, id, number }: { kind: LoggedKind; id: string; number: number }) {
  const ui = useUiWords();
  const api = useApi();
  const toast = useToast();
  const [isUnderWay, setUnderWay] = useState(false);
  const download = async () => {
    setUnderWay(true);
    try {
      const query = { timestamps: 'true' };
      const answer = await api.send(KIND_CALLS[kind].log, { params: { id, number }, query });
      saveFile(await answer.blob(), `${id}-${number}.log`);
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
