// Objects of one type side by side, over time or against an earlier time; of one object also its Pods or nodes. A part that is chosen
// in one chart is shown in all.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { type MonitorType, OBJECT_METRIC_NAMES } from '@gantry/contract/monitor/metrics.ts';
import { useCall } from '@gantry/ui/client/use-api.tsx';
import { EmptyState } from '@gantry/ui/widgets/states.tsx';
import Autocomplete from '@mui/material/Autocomplete';
import Box from '@mui/material/Box';
import FormControlLabel from '@mui/material/FormControlLabel';
import MenuItem from '@mui/material/MenuItem';
import Switch from '@mui/material/Switch';
import TextField from '@mui/material/TextField';
import { useCallback } from 'react';
import { useSearchParams } from 'react-router';
import { MetricPanels } from '../../parts/metrics/metric-panels.tsx';
import { MomentLinks } from '../../parts/metrics/moment-links.tsx';
import type { useWindow } from '../../parts/metrics/use-window.ts';
import { useMonitorWords } from './use-monitor-words.ts';
import { type Named, useObjects } from './use-objects.ts';

const MOST_COMPARED = 20;

interface ObjectMetricsProps {
  window: ReturnType<typeof useWindow>;
  /** With only one type there is no choice. */
  types: readonly MonitorType[];
  /** For one object: always its Pods, and nothing before one is chosen. */
  isOfPods?: boolean;
}

export function ObjectMetrics({ window, types, isOfPods = false }: ObjectMetricsProps) {
  const t = useMonitorWords();
  const [params, setParams] = useSearchParams();
  const { objects, nameOf } = useObjects();
  const most = isOfPods ? 1 : MOST_COMPARED;
  const type = types.find((one) => one === params.get('type')) ?? types[0] ?? 'instance';
  const ids = params.getAll('object').slice(0, most);
  const [only] = ids;
  const isByPart = ids.length === 1 && (isOfPods || params.has('parts'));
  const body = { metrics: OBJECT_METRIC_NAMES, type, ...window.asked };
  const isAll = ids.length === 0;
  const all = useCall(CALLS.monitorOverallQuery, { body }, { enabled: isAll && !isOfPods, keepsPrevious: true });
  const some = useCall(
    CALLS.monitorServiceQuery,
    { body: { ...body, objects: ids } },
    { enabled: !isAll && !isByPart, keepsPrevious: true },
  );
  const parts = useCall(
    CALLS.monitorPodQuery,
    { body: { ...body, object: only ?? '' } },
    { enabled: isByPart, keepsPrevious: true },
  );
  const change = (edit: (next: URLSearchParams) => void) =>
    setParams(
      (former) => {
        const next = new URLSearchParams(former);
        edit(next);
        return next;
      },
      { replace: true },
    );
  const choose = (chosen: readonly Named[]) =>
    change((next) => {
      next.delete('object');
      next.delete('parts');
      for (const { id } of chosen.slice(-most)) next.append('object', id);
    });
  const offered = objects.filter((one) => one.type === type);
  const answer = isAll ? all : isByPart ? parts : some;
  const named = useCallback((id: string) => (isByPart ? id : nameOf(type, id)), [isByPart, nameOf, type]);
  return (
    <>
      <Box sx={{ display: 'flex', gap: 2, flexWrap: 'wrap', alignItems: 'center', mb: 3 }}>
        {types.length > 1 && (
          <TextField
            select
            size="small"
            label={t('overview.type')}
            value={type}
            onChange={({ target }) =>
              change((next) => {
                next.set('type', target.value);
                next.delete('object');
                next.delete('parts');
              })
            }
            sx={{ width: 190 }}
          >
            {types.map((one) => (
              <MenuItem key={one} value={one}>
                {t(`types.${one}`)}
              </MenuItem>
            ))}
          </TextField>
        )}
        <Autocomplete
          multiple
          size="small"
          options={offered}
          value={offered.filter(({ id }) => ids.includes(id))}
          getOptionLabel={({ name }) => name}
          getOptionKey={({ id }) => id}
          isOptionEqualToValue={(one, other) => one.id === other.id}
          getOptionDisabled={() => !isOfPods && ids.length >= most}
          onChange={(_, chosen) => choose(chosen)}
          sx={{ flex: '1 1 20rem', maxWidth: '48rem' }}
          renderInput={(props) => (
            <TextField {...props} label={t(isOfPods ? 'analysis.object' : 'performance.objects')} />
          )}
        />
        {!isOfPods && ids.length === 1 && (
          <FormControlLabel
            control={
              <Switch
                checked={isByPart}
                onChange={(_, isOn) => change((next) => (isOn ? next.set('parts', '1') : next.delete('parts')))}
              />
            }
            label={t(type === 'host' ? 'performance.byNode' : 'performance.byPod')}
          />
        )}
      </Box>
      <MomentLinks window={window} type={type} ids={ids} nameOf={(id) => nameOf(type, id)} />
      {isOfPods && isAll ? (
        <EmptyState title={t('analysis.chooseObject')} />
      ) : (
        <MetricPanels answer={answer} window={window} nameOf={named} />
      )}
    </>
  );
}
