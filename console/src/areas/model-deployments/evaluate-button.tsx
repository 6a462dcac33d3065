// Leads to the form of an evaluation of this deployment. Embeddings and rankings are not evaluated.
import type { ModelDeploymentView } from '@gantry/contract/kinds/model-deployment.ts';
import { Guarded } from '@gantry/ui/session/permission.tsx';
import Button from '@mui/material/Button';
import { Link } from 'react-router';
import { evaluatePath } from '../../parts/evaluate-path.ts';
import { useDeploymentWords } from './use-deployment-words.ts';

export function EvaluateButton({ deployment: { id, task } }: { deployment: Pick<ModelDeploymentView, 'id' | 'task'> }) {
  const t = useDeploymentWords();
  if (task !== 'Generate') return null;
  return (
    <Guarded node="createEvaluation" isHidden>
      <Button component={Link} to={evaluatePath([{ deployment: id }])} variant="outlined">
        {t('evaluate')}
      </Button>
    </Guarded>
  );
}
