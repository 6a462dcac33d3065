// Tenants' Pods on a node, and the effect of a drain on each.
import type { NodeAbout } from '@gantry/contract/areas/kinds/admin-computing.ts';
import { RowName } from '../../parts/row-name.tsx';
import { RowLink } from '../objects/about-tabs.tsx';
import { RowsTable } from '../objects/rows-table.tsx';
import { useComputingWords } from '../objects/use-computing-words.ts';

export function PodsOfTenants({ pods }: Pick<NodeAbout, 'pods'>) {
  const t = useComputingWords();
  return (
    <RowsTable
      label={t('tabs.running')}
      rows={pods}
      keyOf={({ namespace, name }) => `${namespace}/${name}`}
      none={t('node.none')}
      columns={[
        [t('node.pod'), ({ name }) => name],
        [t('node.tenant'), ({ organization_id: id }) => (id === null ? '–' : <RowName of="organizations" id={id} />)],
        [
          t('node.instance'),
          ({ resource, object_id, object_name }) =>
            resource === null || object_id === null ? (
              '–'
            ) : (
              <RowLink resource={resource} id={object_id}>
                {object_name ?? object_id}
              </RowLink>
            ),
        ],
        [t('node.gpus'), ({ gpus }) => gpus],
        [t('node.after'), ({ after }) => t(`node.${after}`)],
      ]}
    />
  );
}
