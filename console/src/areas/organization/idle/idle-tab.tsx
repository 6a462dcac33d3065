// The policy for instances, services and jobs that nobody uses, and what it saved this month.
import type { OutputOf } from '@gantry/contract/http/call.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useCall, useCommand } from '@gantry/ui/client/use-api.tsx';
import { FormNumber } from '@gantry/ui/form/fields.tsx';
import { useServerForm } from '@gantry/ui/form/use-server-form.ts';
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import { useMay } from '@gantry/ui/session/permission.tsx';
import { ErrorState, LoadingRows } from '@gantry/ui/widgets/states.tsx';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Radio from '@mui/material/Radio';
import RadioGroup from '@mui/material/RadioGroup';
import Typography from '@mui/material/Typography';
import { Controller } from 'react-hook-form';
import { Section } from '../../../parts/section.tsx';
import { useOrganization } from '../../../parts/use-me.ts';
import { OptionCard } from '../../../parts/workload/option-card.tsx';
import { useOrganizationWords } from '../use-organization-words.ts';
import { IdleSavings } from './idle-savings.tsx';

type Policy = OutputOf<NonNullable<typeof CALLS.getIdlePolicy.facts>>;

const CHOICES = ['Nothing', 'Warn', 'Act'] as const satisfies readonly Policy['does'][];
const SIGNALS = ['gpu', 'user', 'program'] as const;
const LEAST_MINUTES = 5;
const MOST_MINUTES = 43_200;

export function IdleTab() {
  const { data: organization } = useOrganization();
  if (!organization) return <LoadingRows />;
  return (
    <>
      <Rules organizationId={organization.org_id} />
      <IdleSavings organizationId={organization.org_id} />
    </>
  );
}

function Rules({ organizationId: org_id }: { organizationId: string }) {
  const t = useOrganizationWords();
  const may = useMay();
  const { data, error, refetch } = useCall(CALLS.getIdlePolicy, { params: { org_id } });
  return (
    <Section title={t('idle.title')} lead={t('idle.lead')}>
      <Box component="dl" sx={{ m: 0, mb: 2, display: 'grid', gap: 1, maxWidth: '48rem' }}>
        {SIGNALS.map((signal) => (
          <Box key={signal}>
            <Typography component="dt" variant="body2" sx={{ fontWeight: 600 }}>
              {t(`idle.signals.${signal}`)}
            </Typography>
            <Typography component="dd" variant="body2" color="text.secondary" sx={{ m: 0 }}>
              {t(`idle.signalHints.${signal}`)}
            </Typography>
          </Box>
        ))}
      </Box>
      {error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!error && !data && <LoadingRows />}
      {data && (may('setIdlePolicy') ? <PolicyForm policy={data} organizationId={org_id} /> : <Now policy={data} />)}
    </Section>
  );
}

function Now({ policy: { does, after_minutes: minutes } }: { policy: Policy }) {
  const t = useOrganizationWords();
  return (
    <Typography>
      {t(`idle.choices.${does}`)}
      {does !== 'Nothing' && ` (${t('idle.afterText', { smart_count: minutes })})`}
    </Typography>
  );
}

function PolicyForm({ policy, organizationId: org_id }: { policy: Policy; organizationId: string }) {
  const t = useOrganizationWords();
  const ui = useUiWords();
  const { form, error, submit } = useServerForm<Pick<Policy, 'does' | 'after_minutes'>>({
    values: { does: policy.does, after_minutes: policy.after_minutes },
    resetOptions: { keepDirtyValues: true },
  });
  const set = useCommand(CALLS.setIdlePolicy, {
    isQuiet: true,
    invalidates: [CALLS.getIdlePolicy],
  });
  const does = form.watch('does');
  return (
    <Box
      component="form"
      noValidate
      onSubmit={(event) => void submit((body) => set.mutateAsync({ params: { org_id }, body }))(event)}
      sx={{ display: 'grid', gap: 2, maxWidth: '48rem' }}
    >
      <Controller
        control={form.control}
        name="does"
        render={({ field: { ref, ...field } }) => (
          <RadioGroup {...field} aria-label={t('idle.title')} sx={{ display: 'grid', gap: 1 }}>
            {CHOICES.map((choice, at) => (
              <OptionCard
                key={choice}
                control={<Radio value={choice} {...(at === 0 && { slotProps: { input: { ref } } })} />}
                title={t(`idle.choices.${choice}`)}
                isChosen={does === choice}
                lines={[t(`idle.choiceHints.${choice}`)]}
              />
            ))}
          </RadioGroup>
        )}
      />
      {does !== 'Nothing' && (
        <FormNumber
          control={form.control}
          name="after_minutes"
          label={t('idle.after')}
          help={t('idle.afterHint')}
          unit={t('idle.minutes')}
          range={[LEAST_MINUTES, MOST_MINUTES]}
          isRequired
          sx={{ maxWidth: '20rem' }}
        />
      )}
      {error !== undefined && <Alert severity="error">{error}</Alert>}
      <Button type="submit" variant="contained" loading={set.isPending} sx={{ justifySelf: 'start' }}>
        {ui('actions.save')}
      </Button>
    </Box>
  );
}
