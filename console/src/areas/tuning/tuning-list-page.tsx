// All fine-tuning tasks of the organisation: their state, and commands for one or for many.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { fineTunePhases } from '@gantry/contract/kinds/fine-tune-phases.ts';
import { useLanguage } from '@gantry/ui/i18n/use-words.tsx';
import Button from '@mui/material/Button';
import { Link } from 'react-router';
import { CreateButton } from '../../parts/create-button.tsx';
import { KindListPage, listTexts, statusChoice } from '../../parts/kind-list-page.tsx';
import { METHODS, OBJECTIVES } from './choices.ts';
import { LIST } from './paths.ts';
import { useTuningColumns } from './use-tuning-columns.tsx';
import { useTuningWords } from './use-tuning-words.ts';

const SINGLE = ['edit', 'clone'] as const;

export function TuningListPage() {
  const t = useTuningWords();
  const language = useLanguage();
  const columns = useTuningColumns();
  const create = (
    <CreateButton node="createFineTune" to={`${LIST}/create`}>
      {t('create')}
    </CreateButton>
  );
  const texts = listTexts(t, create);
  return (
    <KindListPage
      {...texts}
      kind="fineTune"
      list={CALLS.listFineTunes}
      columns={columns}
      choices={[
        statusChoice(language, fineTunePhases, t('list.status'), t('list.anyStatus')),
        {
          name: 'objective',
          label: t('fields.objective'),
          any: t('list.anyObjective'),
          options: OBJECTIVES.map((one) => [one, t(`objectives.${one}`)]),
        },
        {
          name: 'method',
          label: t('fields.method'),
          any: t('list.anyMethod'),
          options: METHODS.map((one) => [one, t(`methods.${one}`)]),
        },
      ]}
      single={SINGLE}
      empty={{
        ...texts.empty,
        actions: (
          <>
            {create}
            <Button component={Link} to="/model/space" variant="outlined">
              {t('toModels')}
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
