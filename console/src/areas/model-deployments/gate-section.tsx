// The gate of a deployment: whether what it is to serve has passed it, and with which numbers.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { METRIC_WORDS } from '@gantry/contract/kinds/evaluation-words.ts';
import type { ModelDeploymentView } from '@gantry/contract/kinds/model-deployment.ts';
import { useList } from '@gantry/ui/client/use-api.tsx';
import { useLanguage } from '@gantry/ui/i18n/use-words.tsx';
import { PhaseChip } from '@gantry/ui/widgets/phase-chip.tsx';
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import { Link } from 'react-router';
import { FactList } from '../../parts/fact-list.tsx';
import { objectPath } from '../../parts/object-path.ts';
import { Section } from '../../parts/section.tsx';
import { useNameOf, useReadableModels } from '../../parts/use-names.ts';
import { useDeploymentWords } from './use-deployment-words.ts';

/** The state of a gate by the reason of the setup's condition; open with any other. */
const STATES = { GateNotPassed: 'closed', GateNotEvaluated: 'waiting' } as const;
const ALL = { size: 1000 } as const;
const TONES = { open: 'good', closed: 'bad', waiting: 'progress' } as const;

export function GateSection({ deployment: { spec, conditions, message } }: { deployment: ModelDeploymentView }) {
  const t = useDeploymentWords();
  const language = useLanguage();
  const { gate } = spec;
  const nameOfModel = useNameOf(useReadableModels());
  const { items: evaluations } = useList(CALLS.listEvaluations, {}, { ...ALL, enabled: gate !== undefined });
  if (!gate) return null;
  const { evaluation, metric, task, notWorseThan, margin = 0 } = gate;
  const setup = conditions.find(({ type }) => type === 'SetupChosen');
  const reason = setup?.reason ?? '';
  const state = Object.hasOwn(STATES, reason) ? STATES[reason as keyof typeof STATES] : 'open';
  const known = evaluations.find(({ id }) => id === evaluation);
  return (
    <Section
      title={t('gate.title')}
      lead={t('gate.lead')}
      beside={<PhaseChip label={t(`gate.states.${state}`)} tone={TONES[state]} message={null} />}
      actions={
        <Button component={Link} to={objectPath(`Evaluation/${evaluation}`) ?? ''} variant="outlined">
          {t('gate.look')}
        </Button>
      }
    >
      {/* The page begins with the deployment's message, which may be the same. */}
      {state !== 'open' && setup?.message && setup.message !== message && (
        <Alert severity={state === 'closed' ? 'error' : 'info'} sx={{ mb: 2 }}>
          {setup.message}
        </Alert>
      )}
      <FactList
        facts={[
          { label: t('gate.evaluation'), value: known?.name ?? evaluation },
          { label: t('gate.metric'), value: METRIC_WORDS[metric][language] },
          {
            label: t('gate.task'),
            value: task === undefined ? t('gate.anyTask') : (known?.tasks[task]?.name ?? task + 1),
          },
          {
            label: t('gate.baseline'),
            value: notWorseThan ? `${nameOfModel(notWorseThan.model)} ${notWorseThan.version}` : t('gate.anyBaseline'),
          },
          { label: t('gate.margin'), value: margin },
        ]}
      />
    </Section>
  );
}
