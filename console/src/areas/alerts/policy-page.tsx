// One policy: what it says, its alarms, and a button that mutes it.

import { ruleType } from '@gantry/contract/alerts/rule-types.ts';
import { alertWords } from '@gantry/contract/alerts/words.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';
import type { PolicyView } from '@gantry/contract/kinds/alert-policy.ts';
import { useCommand } from '@gantry/ui/client/use-api.tsx';
import { timeText } from '@gantry/ui/format/time.ts';
import { useLanguage } from '@gantry/ui/i18n/use-words.tsx';
import { Guarded } from '@gantry/ui/session/permission.tsx';
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import { Link } from 'react-router';
import { FactList } from '../../parts/fact-list.tsx';
import { KindPage } from '../../parts/kind-page.tsx';
import { isAhead } from './is-ahead.ts';
import { POLICY_READS, PolicyActions } from './policy-actions.tsx';
import { PolicyChanges } from './policy-changes.tsx';
import { useAlertWords } from './use-alert-words.ts';
import { useMetricLabel } from './use-metric-label.ts';

export const PolicyPage = () => (
  <KindPage
    kind="alertPolicy"
    read={CALLS.getPolicy}
    list="/monitor/policy"
    tabs={{ overview: (policy) => <Overview policy={policy} />, history: ({ id }) => <PolicyChanges id={id} /> }}
    actions={(policy, onDone) => (
      <>
        <MuteButton policy={policy} />
        <PolicyActions policy={policy} shown={2} size="medium" onDone={onDone} />
      </>
    )}
  />
);

function MuteButton({ policy: { id, phase } }: { policy: PolicyView }) {
  const t = useAlertWords();
  const mute = useCommand(CALLS.updatePolicyStatus, { invalidates: POLICY_READS });
  if (phase === 'disabled' || phase === 'blocking') return null;
  return (
    <Guarded node="updatePolicyStatus">
      <Button
        loading={mute.isPending}
        onClick={() => mute.mutate({ params: { id }, body: { status: 'blocking', minutes: 30 } })}
      >
        {t('policy.mute')}
      </Button>
    </Guarded>
  );
}

function Overview({ policy: { id, spec, firing, conditions } }: { policy: PolicyView }) {
  const t = useAlertWords();
  const language = useLanguage();
  const metricLabel = useMetricLabel();
  const { objects, rules, begins, endsAfter = 1, periodSeconds = 60, channels = [], mutedUntil } = spec;
  const names = objects.names ?? Object.entries(objects.labels ?? {}).map(([label, value]) => `${label}=${value}`);
  const { met = 1, of = 1 } = begins ?? {};
  const undelivered = conditions.find(({ type, status }) => type === 'Notified' && status === 'False');
  return (
    <>
      {undelivered && (
        <Alert severity="warning" sx={{ mb: 2 }}>
          {undelivered.message}
        </Alert>
      )}
      <FactList
        facts={[
          {
            label: t('policy.objects'),
            value: `${t(`kinds.${objects.kind}`)}: ${names.length > 0 ? names.join(', ') : t('policy.all')}`,
          },
          { label: t('form.metric'), value: spec.query ?? metricLabel(spec.metric) },
          {
            label: t('policy.rules'),
            value: rules
              .map(({ type = 'Threshold', compare, value, level = 'Warning' }) =>
                [
                  `${alertWords.levels[level][language]}:`,
                  t(`types.${ruleType(type)}`),
                  ...(compare === undefined ? [] : [t(`compare.${compare}`), `${value}`]),
                ].join(' '),
              )
              .join('; '),
          },
          {
            label: t('policy.begins'),
            value: t('policy.beginsText', { met, of, smart_count: of, seconds: periodSeconds }),
          },
          { label: t('policy.ends'), value: t('policy.endsText', { count: endsAfter, smart_count: endsAfter }) },
          {
            label: t('policy.channels'),
            value: channels
              .map(({ type, to }) => [alertWords.channels[type][language], to].filter(Boolean).join(': '))
              .join(', '),
          },
          ...(isAhead(mutedUntil) ? [{ label: t('policy.mutedUntil'), value: timeText(mutedUntil) }] : []),
          {
            label: t('policies.firing'),
            value: firing,
            action: (
              <Button component={Link} to={`/monitor/alarm?policy=${encodeURIComponent(id)}`}>
                {t('policy.alarms')}
              </Button>
            ),
          },
        ]}
      />
    </>
  );
}
