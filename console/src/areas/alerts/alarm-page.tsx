// One alarm: what it is about, what happened to it, and what one can do.

import type { AlarmDetailView } from '@gantry/contract/areas/alerts/alerts.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useCall, useCommand } from '@gantry/ui/client/use-api.tsx';
import { countdownText, localTimes, timeText } from '@gantry/ui/format/time.ts';
import { Guarded } from '@gantry/ui/session/permission.tsx';
import { PageHeader } from '@gantry/ui/widgets/page-header.tsx';
import { PhaseChip } from '@gantry/ui/widgets/phase-chip.tsx';
import { EmptyState, ErrorState, LoadingRows } from '@gantry/ui/widgets/states.tsx';
import Button from '@mui/material/Button';
import MuiLink from '@mui/material/Link';
import type { ReactNode } from 'react';
import { Link, useParams } from 'react-router';
import { FactList } from '../../parts/fact-list.tsx';
import { objectPath } from '../../parts/object-path.ts';
import { PlainTable } from '../../parts/plain-table.tsx';
import { Section } from '../../parts/section.tsx';
import { AlarmChart } from './alarm-chart.tsx';
import { ALARM_TONES } from './alarm-tones.ts';
import { useAlertWords } from './use-alert-words.ts';

const NOT_FOUND = 404;
const POLL_MS = 10_000;

export function AlarmPage() {
  const t = useAlertWords();
  const { id = '' } = useParams();
  const { data, error, refetch } = useCall(CALLS.getAlert, { params: { id } }, { everyMs: POLL_MS });
  if (data) return <Alarm alarm={data} />;
  return (
    <>
      <PageHeader title={id} />
      {error?.status === NOT_FOUND ? (
        <EmptyState title={t('alarms.gone')} />
      ) : error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <LoadingRows rows={4} height={60} />
      )}
    </>
  );
}

function Alarm({ alarm }: { alarm: AlarmDetailView }) {
  const t = useAlertWords();
  const { strategy, status, group, records, value, object } = alarm;
  const page = object === null ? undefined : objectPath(`${alarm.kind}/${object}`);
  const groupText = Object.entries(group).map(([label, text]) => `${label}=${text}`);
  return (
    <>
      <PageHeader
        title={localTimes(alarm.content)}
        beside={<PhaseChip label={alarm.status_label} tone={ALARM_TONES[status]} message={null} />}
      >
        <Operations alarm={alarm} />
      </PageHeader>
      <Section title={t('alarms.overview')}>
        <FactList
          facts={[
            {
              label: t('alarms.policy'),
              value: <PageLink to={`/monitor/policy/${strategy.id}`}>{strategy.name}</PageLink>,
            },
            { label: t('alarms.level'), value: alarm.level_label },
            {
              label: t('alarms.object'),
              value: page !== undefined ? <PageLink to={page}>{object}</PageLink> : (object ?? alarm.kind),
            },
            { label: alarm.metric_label, value: value === null ? '–' : value },
            ...(groupText.length > 0 ? [{ label: t('alarms.group'), value: groupText.join(', ') }] : []),
            { label: t('alarms.began'), value: timeText(alarm.first_abnormal_time) },
            { label: t('alarms.duration'), value: countdownText(alarm.duration_seconds * 1000) },
            ...(alarm.end_time === null ? [] : [{ label: t('alarms.ended'), value: timeText(alarm.end_time) }]),
            ...(alarm.shielded_until === null
              ? []
              : [{ label: t('alarms.shieldedUntil'), value: timeText(alarm.shielded_until) }]),
          ]}
        />
      </Section>
      <AlarmChart alarm={alarm} />
      <Section title={t('alarms.records')}>
        <PlainTable
          label={t('alarms.records')}
          rows={records.map((record, at) => ({ ...record, at }))}
          keyOf={({ at }) => at}
          columns={[
            { label: t('alarms.time'), cell: ({ time }) => timeText(time) },
            { label: t('alarms.type'), cell: ({ type }) => t(`alarms.${type}`) },
            { label: t('alarms.what'), cell: ({ message }) => localTimes(message) },
          ]}
        />
      </Section>
    </>
  );
}

const PageLink = ({ to, children }: { to: string; children: ReactNode }) => (
  <MuiLink component={Link} to={to}>
    {children}
  </MuiLink>
);

function Operations({ alarm: { id, status, shielded_until: until } }: { alarm: AlarmDetailView }) {
  const t = useAlertWords();
  const operate = useCommand(CALLS.operateAlert, { invalidates: [CALLS.getAlert, CALLS.listAlerts] });
  if (status !== 'firing' && status !== 'shielded') return null;
  const give = (operation: 'close' | 'shield' | 'unshield') =>
    operate.mutate({ params: { id }, body: { operation, minutes: 30 } });
  const shield = until === null ? 'shield' : 'unshield';
  return (
    <>
      <Guarded node="operateAlert">
        <Button disabled={operate.isPending} onClick={() => give(shield)}>
          {t(`alarms.${shield}`)}
        </Button>
      </Guarded>
      <Guarded node="operateAlert">
        <Button variant="outlined" disabled={operate.isPending} onClick={() => give('close')}>
          {t('alarms.close')}
        </Button>
      </Guarded>
    </>
  );
}
