// Earlier revisions of a served object, newest first, and the way back to each.
import { timeText } from '@gantry/ui/format/time.ts';
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import { Guarded } from '@gantry/ui/session/permission.tsx';
import { EmptyState } from '@gantry/ui/widgets/states.tsx';
import Button from '@mui/material/Button';
import { type ReactNode, useState } from 'react';
import type { ActedKind, ActionTarget } from '../action-calls.ts';
import { ActionQuestion } from '../action-question.tsx';
import { PlainTable } from '../plain-table.tsx';
import { Section } from '../section.tsx';
import { useWorkloadWords } from './use-workload-words.ts';

interface Revision {
  revision: number;
  time: string;
  outcome_label: string;
  is_present: boolean;
  can_return: boolean;
}

interface RevisionTableProps<Row extends Revision> {
  kind: ActedKind;
  target: ActionTarget & { revisions: readonly Row[] };
  /** The sentence about what a return restores. */
  lead: string;
  /** By what people tell one from another. */
  column: { label: string; cell(row: Row): ReactNode };
  /** Before a return: what it becomes, and what is lost. */
  question(row: Row): { text: string; lost: string };
}

export function RevisionTable<Row extends Revision>({ kind, target, lead, column, question }: RevisionTableProps<Row>) {
  const t = useWorkloadWords();
  const ui = useUiWords();
  const [asked, setAsked] = useState<Row>();
  const { revisions, actions } = target;
  const rollback = actions.find(({ action }) => action === 'rollback');
  if (revisions.length === 0) return <EmptyState title={t('revisions.none')} />;
  const { text, lost } = asked ? question(asked) : { text: '', lost: '' };
  return (
    <Section title={t('revisions.title')} lead={lead}>
      <PlainTable<Row>
        label={t('revisions.title')}
        rows={revisions}
        keyOf={({ revision }) => revision}
        columns={[
          { label: t('revisions.number'), cell: ({ revision }) => revision },
          { label: t('revisions.since'), cell: ({ time }) => timeText(time) },
          column,
          {
            label: t('revisions.outcome'),
            cell: ({ outcome_label, is_present }) =>
              is_present ? t('revisions.isPresent', { outcome: outcome_label }) : outcome_label,
          },
          {
            label: ui('fields.actions'),
            cell: (row) =>
              row.can_return &&
              rollback && (
                <Guarded node={`${kind}.rollback`} isHidden>
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
          kind={kind}
          target={target}
          row={rollback}
          question={{
            title: t('revisions.backTo', { revision: asked.revision }),
            text,
            lost: [lost],
            more: { revision: asked.revision },
          }}
          onClose={() => setAsked(undefined)}
          onDone={() => setAsked(undefined)}
        />
      )}
    </Section>
  );
}
