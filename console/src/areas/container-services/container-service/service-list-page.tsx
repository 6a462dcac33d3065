// All services of the organisation: their state, and commands for one or for many.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { containerServicePhases } from '@gantry/contract/kinds/container-service-phases.ts';
import { useLanguage } from '@gantry/ui/i18n/use-words.tsx';
import { CreateButton } from '../../../parts/create-button.tsx';
import { KindListPage, listTexts, statusChoice } from '../../../parts/kind-list-page.tsx';
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
    <CreateButton node="createService" to="/deploy/service/create">
      {t('services.create')}
    </CreateButton>
  );
  return (
    <KindListPage
      {...listTexts((key) => t(`services.${key}`), create)}
      kind="containerService"
      list={CALLS.listServices}
      columns={columns}
      choices={[
        statusChoice(language, containerServicePhases, t('list.status'), t('list.anyStatus')),
        {
          name: 'host',
          label: t('facts.place'),
          any: t('list.anyPlace'),
          options: hosts.map(({ id, name }) => [id, name]),
        },
      ]}
      single={SINGLE}
    />
  );
}
