// What the service was, newest first, and the way back to each.
import type { ServiceView } from '@gantry/contract/kinds/container-service.ts';
import { timeText } from '@gantry/ui/format/time.ts';
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import { Guarded } from '@gantry/ui/session/permission.tsx';
import { EmptyState } from '@gantry/ui/widgets/states.tsx';
import Button from '@mui/material/Button';
import { useState } from 'react';
import { ActionQuestion } from '../../../parts/action-question.tsx';
import { PlainTable } from '../../../parts/plain-table.tsx';
import { Section } from '../../../parts/section.tsx';
import { Code } from '../code.tsx';
import { useDeployWords } from '../use-deploy-words.ts';

type Revision = ServiceView['revisions'][number];

export function RevisionTable({ service }: { service: ServiceView }) {
  const t = useDeployWords();
  const ui = useUiWords();
  const [asked, setAsked] = useState<Revision>();
  const { revisions, actions } = service;
  const rollback = actions.find(({ action }) => action === 'rollback');
  if (revisions.length === 0) return <EmptyState title={t('revisions.none')} />;
  return (
    <Section title={t('revisions.title')} lead={t('revisions.lead')}>
      <PlainTable
        label={t('revisions.title')}
        rows={revisions}
        keyOf={({ revision }) => revision}
        columns={[
          { label: t('revisions.present'), cell: ({ revision }) => revision },
          { label: t('revisions.since'), cell: ({ time }) => timeText(time) },
          { label: t('facts.image'), cell: ({ image }) => <Code>{image}</Code> },
          {
            label: t('revisions.outcome'),
            cell: ({ outcome_label, is_present }) =>
              is_present ? t('revisions.isPresent', { outcome: outcome_label }) : outcome_label,
          },
          {
            label: ui('fields.actions'),
            cell: (row) =>
              !row.is_present &&
              rollback && (
                <Guarded node="containerService.rollback" isHidden>
                  <Button
                    size="small"
                    aria-label={t('revisions.backTo', { revision: row.revision })}
                    onClick={() => setAsked(row)}
                  >
                    {rollback.label}
                  </Button>
                </Guarded>
              ),
          },
        ]}
      />
      {asked && rollback && (
        <ActionQuestion
          kind="containerService"
          target={service}
          row={rollback}
          question={{
            title: t('revisions.backTo', { revision: asked.revision }),
            text: t('ask.rollbackTo', { revision: asked.revision, image: asked.image }),
            lost: [t('ask.presentRevision')],
            more: { revision: asked.revision },
          }}
          onClose={() => setAsked(undefined)}
          onDone={() => setAsked(undefined)}
        />
      )}
    </Section>
  );
}
