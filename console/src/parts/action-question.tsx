// The question before a command that interrupts, destroys or costs: what is lost, what is kept, and the new price.
import { ConfirmDialog } from '@gantry/ui/widgets/confirm-dialog.tsx';
import Button from '@mui/material/Button';
import type { ReactNode } from 'react';
import { type ActedKind, type ActionRow, type ActionTarget, useAct } from './action-calls.ts';
import { missingIn } from './missing-money.ts';
import { PriceThen } from './price-then.tsx';
import { TopUpButton } from './top-up-button.tsx';
import { usePartsWords } from './use-parts-words.ts';

export interface Question<Action extends string = string> {
  /** One short line, shown beside the command. */
  brief?: string;
  title?: string;
  text?: ReactNode;
  /** One line each. Where absent, what the danger of the action means. */
  lost?: readonly string[];
  kept?: readonly string[];
  /** Has to be typed; the object's name where absent and the command destroys. */
  typed?: string;
  /** Members of the body beside the command. */
  more?: object;
  /** Milder commands, offered beside it where they may be given now. */
  instead?: readonly Action[];
}

interface ActionQuestionProps {
  kind: ActedKind;
  target: ActionTarget;
  row: ActionRow;
  question: Question;
  onDone(action: string): void;
  onClose(): void;
}

export function ActionQuestion({ kind, target, row, question, onDone, onClose }: ActionQuestionProps) {
  const t = usePartsWords();
  const act = useAct(kind, { isQuiet: true });
  const missing = missingIn(act.error);
  const { action, label, danger, price } = row;
  const { lost = danger === 'destroys' ? [t('actions.destroys', { name: target.name })] : undefined, kept } = question;
  const typed = question.typed ?? (danger === 'destroys' ? target.name : undefined);
  const give = (answer: string) => act.give(target.id, answer, question.more, { onSuccess: () => onDone(answer) });
  const instead = (question.instead ?? []).flatMap((other) => target.actions.filter((each) => each.action === other));
  return (
    <ConfirmDialog
      title={question.title ?? t('actions.ask', { action: label, name: target.name })}
      {...(lost && { lost })}
      {...(kept && { kept })}
      {...(typed !== undefined && { typed })}
      confirmLabel={label}
      isDangerous={danger === 'destroys'}
      isBusy={act.isPending}
      error={act.error}
      help={missing !== undefined && <TopUpButton missing={missing} />}
      others={instead.map((each) => (
        <Button key={each.action} disabled={act.isPending} onClick={() => give(each.action)}>
          {each.label}
        </Button>
      ))}
      onConfirm={() => give(action)}
      onClose={onClose}
    >
      {question.text ?? (danger === 'interrupts' && lost === undefined ? t('actions.interrupts') : undefined)}
      {price && (
        <p>
          <PriceThen price={price} />
        </p>
      )}
    </ConfirmDialog>
  );
}
