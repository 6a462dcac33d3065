// All jobs of the organisation: their state, and commands for one or for many.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { jobPhases } from '@gantry/contract/kinds/job-phases.ts';
import { useCall } from '@gantry/ui/client/use-api.tsx';
import { useLanguage } from '@gantry/ui/i18n/use-words.tsx';
import Button from '@mui/material/Button';
import { Link } from 'react-router';
import { CreateButton } from '../../../parts/create-button.tsx';
import { type Choice, KindListPage, listTexts, statusChoice } from '../../../parts/kind-list-page.tsx';
import { useDeployWords } from '../use-deploy-words.ts';
import { useJobColumns } from './use-job-columns.tsx';

const SINGLE = ['login', 'edit', 'clone'] as const;
const MOST_SCHEDULES = 100;

export function JobListPage() {
  const t = useDeployWords();
  const columns = useJobColumns();
  const choices = useChoices();
  const create = (
    <CreateButton node="createJob" to="/deploy/job/create">
      {t('jobs.create')}
    </CreateButton>
  );
  const texts = listTexts((key) => t(`jobs.${key}`), create);
  return (
    <KindListPage
      {...texts}
      kind="job"
      list={CALLS.listJobs}
      columns={columns}
      choices={choices}
      single={SINGLE}
      empty={{
        ...texts.empty,
        actions: (
          <>
            {create}
            <Button component={Link} to="/develop/template" variant="outlined">
              {t('jobs.toImages')}
            </Button>
          </>
        ),
      }}
    />
  );
}

function useChoices(): readonly Choice[] {
  const t = useDeployWords();
  const language = useLanguage();
  const { data } = useCall(CALLS.listJobs, { query: { execution: 'scheduled', size: MOST_SCHEDULES } });
  const schedules = data?.items ?? [];
  return [
    statusChoice(language, jobPhases, t('list.status'), t('list.anyStatus')),
    {
      name: 'execution',
      label: t('columns.execution'),
      any: t('execution.any'),
      options: (['immediate', 'scheduled'] as const).map((value) => [value, t(`execution.${value}`)]),
    },
    {
      name: 'schedule',
      label: t('list.schedule'),
      any: t('list.anySchedule'),
      options: schedules.map(({ id, name }) => [id, name]),
    },
  ];
}
