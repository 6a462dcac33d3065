// What a service was, by its images.
import type { ServiceView } from '@gantry/contract/kinds/container-service.ts';
import { RevisionTable } from '../../../parts/workload/revision-table.tsx';
import { Code } from '../code.tsx';
import { useDeployWords } from '../use-deploy-words.ts';

export function ServiceRevisions({ service }: { service: ServiceView }) {
  const t = useDeployWords();
  return (
    <RevisionTable
      kind="containerService"
      target={service}
      lead={t('revisions.lead')}
      column={{ label: t('facts.image'), cell: ({ image }) => <Code>{image}</Code> }}
      question={({ revision, image }) => ({
        text: t('ask.rollbackTo', { revision, image }),
        lost: t('ask.presentRevision'),
      })}
    />
  );
}
