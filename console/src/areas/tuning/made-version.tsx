// The ways on from a version that the task has made: to be deployed, and to be evaluated.
import { CALLS } from '@gantry/contract/http/calls.ts';
import type { FineTuneView } from '@gantry/contract/kinds/fine-tune.ts';
import { useList } from '@gantry/ui/client/use-api.tsx';
import { Guarded } from '@gantry/ui/session/permission.tsx';
import Button from '@mui/material/Button';
import { Link } from 'react-router';
import { evaluatePath } from '../../parts/evaluate-path.ts';
import { deployPath } from './paths.ts';
import { servedSubjects } from './served-subjects.ts';
import { useTuningWords } from './use-tuning-words.ts';

type DeployButtonProps = Parameters<typeof deployPath>[0] & { isReady: boolean };

export function DeployButton({ isReady, ...made }: DeployButtonProps) {
  const t = useTuningWords();
  if (!isReady) return null;
  return (
    <Guarded node="createDeployment" isHidden>
      <Button
        component={Link}
        to={deployPath(made)}
        variant="outlined"
        size="small"
        aria-label={t('result.deployOf', { version: made.version })}
      >
        {t('result.deploy')}
      </Button>
    </Guarded>
  );
}

const ALL = 1000;

interface EvaluateButtonProps extends DeployButtonProps {
  /** Rows that it was not trained on. */
  measured: FineTuneView['spec']['evalDataset'];
}

/** Beside its base. What nobody serves is deployed for the run. */
export function EvaluateButton({ isReady, measured, ...made }: EvaluateButtonProps) {
  const t = useTuningWords();
  const { items } = useList(CALLS.listDeployments, {}, { size: ALL, enabled: isReady });
  const subjects = servedSubjects(items, made);
  if (!isReady || subjects.length === 0) return null;
  const to = evaluatePath(subjects, {
    ...(subjects.length > 1 && { baseline: 0 }),
    ...{ dataset: measured?.dataset, datasetVersion: measured?.version },
  });
  return (
    <Guarded node="createEvaluation" isHidden>
      <Button
        component={Link}
        to={to}
        variant="outlined"
        size="small"
        aria-label={t('result.evaluateOf', { version: made.version })}
      >
        {t('result.evaluate')}
      </Button>
    </Guarded>
  );
}
