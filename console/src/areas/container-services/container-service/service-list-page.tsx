// All services of the organisation: their state, and commands for one or for many.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { containerServicePhases } from '@gantry/contract/kinds/container-service-phases.ts';
import { useLanguage } from '@gantry/ui/i18n/use-words.tsx';
import { Guarded } from '@gantry/ui/session/permission.tsx';
import Button from '@mui/material/Button';
import { Link } from 'react-router';
import { KindListPage } from '../../../parts/kind-list-page.tsx';
import { useHosts } from '../../../parts/workload/use-hosts.ts';
import { useDeployWords } from '../use-deploy-words.ts';
import { useServiceColumns } from './use-service-columns.tsx';

const SINGLE = ['login', 'edit', 'clone'] as const;

export function ServiceListPage() {
  const t = useDeployWords();
  const language = useLanguage();
  const columns = useServiceColumns();
  const hosts = useHosts();
  const create = (
    <Guarded node="createService">
      <Button component={Link} to="/deploy/service/create" variant="contained">
        {t('services.create')}
      </Button>
    </Guarded>
  );
  return (
    <KindListPage
      kind="containerService"
      list={CALLS.listServices}
      columns={columns}
      title={t('services.title')}
      lead={t('services.lead')}
      search={t('services.search')}
      choices={[
        {
          name: 'status',
          label: t('list.status'),
          any: t('list.anyStatus'),
          options: Object.entries(containerServicePhases).map(([phase, { [language]: label }]) => [phase, label]),
        },
        {
          name: 'host',
          label: t('facts.place'),
          any: t('list.anyPlace'),
          options: hosts.map(({ id, name }) => [id, name]),
        },
      ]}
      single={SINGLE}
      create={create}
      empty={{ title: t('services.emptyTitle'), hint: t('services.emptyHint'), actions: create }}
    />
  );
}
