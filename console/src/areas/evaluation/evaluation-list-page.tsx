// All evaluations of the organisation: their state, and commands for one or for many.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { evaluationPhases } from '@gantry/contract/kinds/evaluation-phases.ts';
import { useLanguage } from '@gantry/ui/i18n/use-words.tsx';
import Button from '@mui/material/Button';
import { Link } from 'react-router';
import { CreateButton } from '../../parts/create-button.tsx';
import { KindListPage, listTexts, statusChoice } from '../../parts/kind-list-page.tsx';
import { COMPARISON, LIST } from './paths.ts';
import { useEvaluationColumns } from './use-evaluation-columns.tsx';
import { useEvaluationWords } from './use-evaluation-words.ts';

const SINGLE = ['edit', 'clone'] as const;

export function EvaluationListPage() {
  const t = useEvaluationWords();
  const language = useLanguage();
  const columns = useEvaluationColumns();
  const create = (
    <CreateButton node="createEvaluation" to={`${LIST}/create`}>
      {t('create')}
    </CreateButton>
  );
  const texts = listTexts(t, create);
  return (
    <KindListPage
      {...texts}
      kind="evaluation"
      list={CALLS.listEvaluations}
      columns={columns}
      create={
        <>
          <Button component={Link} to={COMPARISON} variant="outlined">
            {t('compare.open')}
          </Button>
          {create}
        </>
      }
      choices={[statusChoice(language, evaluationPhases, t('list.status'), t('list.anyStatus'))]}
      single={SINGLE}
      empty={{
        ...texts.empty,
        actions: (
          <>
            {create}
            <Button component={Link} to="/model/deployment" variant="outlined">
              {t('toDeployments')}
            </Button>
            <Button component={Link} to="/data/space" variant="outlined">
              {t('toDatasets')}
            </Button>
          </>
        ),
      }}
    />
  );
}
