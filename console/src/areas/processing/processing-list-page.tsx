// All data processing tasks of the organisation: their state, and commands for one or for many.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { dataProcessPhases } from '@gantry/contract/kinds/data-process-phases.ts';
import { useLanguage } from '@gantry/ui/i18n/use-words.tsx';
import Button from '@mui/material/Button';
import { Link } from 'react-router';
import { CreateButton } from '../../parts/create-button.tsx';
import { KindListPage, listTexts, statusChoice } from '../../parts/kind-list-page.tsx';
import { LIST } from './paths.ts';
import { TYPES } from './process-types.ts';
import { useProcessingColumns } from './use-processing-columns.tsx';
import { useProcessingWords } from './use-processing-words.ts';

const SINGLE = ['edit', 'clone'] as const;

export function ProcessingListPage() {
  const t = useProcessingWords();
  const language = useLanguage();
  const columns = useProcessingColumns();
  const create = (
    <CreateButton node="createDataProcess" to={`${LIST}/create`}>
      {t('create')}
    </CreateButton>
  );
  const texts = listTexts(t, create);
  return (
    <KindListPage
      {...texts}
      kind="dataProcess"
      list={CALLS.listDataProcesses}
      columns={columns}
      choices={[
        statusChoice(language, dataProcessPhases, t('list.status'), t('list.anyStatus')),
        {
          name: 'type',
          label: t('fields.type'),
          any: t('list.anyType'),
          options: TYPES.map((type) => [type, t(`types.${type}`)]),
        },
      ]}
      single={SINGLE}
      empty={{
        ...texts.empty,
        actions: (
          <>
            {create}
            <Button component={Link} to="/data/space" variant="outlined">
              {t('toDatasets')}
            </Button>
          </>
        ),
      }}
    />
  );
}
