// All deployments of the organisation: their state, and commands for one or for many.
import { CALLS } from '@gantry/contract/http/calls.ts';
import type { ModelDeploymentView } from '@gantry/contract/kinds/model-deployment.ts';
import { modelDeploymentPhases } from '@gantry/contract/kinds/model-deployment-phases.ts';
import { useLanguage, useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import type { Column } from '@gantry/ui/table/data-table.tsx';
import Button from '@mui/material/Button';
import { useMemo } from 'react';
import { Link } from 'react-router';
import { CreateButton } from '../../parts/create-button.tsx';
import { costColumn, createdColumn, kindColumns } from '../../parts/kind-columns.tsx';
import { KindListPage, listTexts, statusChoice } from '../../parts/kind-list-page.tsx';
import { TwoLines } from '../../parts/two-lines.tsx';
import { usePeople } from '../../parts/workload/use-people.ts';
import { inRow } from '../../parts/workload/workload-actions.tsx';
import { DeploymentActions } from './deployment-actions.tsx';
import { useDeploymentWords } from './use-deployment-words.ts';

const SINGLE = ['edit', 'clone'] as const;

export function DeploymentListPage() {
  const t = useDeploymentWords();
  const language = useLanguage();
  const columns = useDeploymentColumns();
  const create = (
    <CreateButton node="createDeployment" to="/model/deployment/create">
      {t('create')}
    </CreateButton>
  );
  return (
    <KindListPage
      {...listTexts(t, create)}
      kind="modelDeployment"
      list={CALLS.listDeployments}
      columns={columns}
      choices={[statusChoice(language, modelDeploymentPhases, t('status'), t('anyStatus'))]}
      single={SINGLE}
      create={
        <>
          <Button component={Link} to="/model/usage">
            {t('usage')}
          </Button>
          <Button component={Link} to="/model/alias">
            {t('aliases')}
          </Button>
          <Button component={Link} to="/model/collected">
            {t('collected.title')}
          </Button>
          {create}
        </>
      }
    />
  );
}

function useDeploymentColumns(): readonly Column<ModelDeploymentView>[] {
  const t = useDeploymentWords();
  const ui = useUiWords();
  const nameOfPerson = usePeople();
  return useMemo(
    () =>
      kindColumns(ui, {
        to: ({ id }) => `/model/deployment/${id}`,
        second: ({ id }) => id,
        own: [
          {
            id: 'model',
            label: t('columns.model'),
            width: 'minmax(8rem, 1.6fr)',
            cell: ({ model: { id, name, version } }) => (
              <TwoLines first={name ?? id} second={version} title={name ?? id} />
            ),
          },
          {
            id: 'engine',
            label: t('columns.engine'),
            width: 'minmax(9rem, 1.6fr)',
            cell: ({ engine_label: engine, specification, replicas: { ready, wanted } }) => (
              <TwoLines
                first={engine ?? t('facts.notYet')}
                second={t('facts.readyOf', { ready, wanted })}
                title={specification}
              />
            ),
          },
          costColumn(t('columns.cost'), '9rem'),
          createdColumn(ui, nameOfPerson),
        ],
        actions: inRow(DeploymentActions),
      }),
    [t, ui, nameOfPerson],
  );
}
