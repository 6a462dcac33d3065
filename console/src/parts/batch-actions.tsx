// One command for all selected objects. Each object answers separately, so refusals are listed with their reasons.
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import { Guarded } from '@gantry/ui/session/permission.tsx';
import { ConfirmDialog } from '@gantry/ui/widgets/confirm-dialog.tsx';
import { useToast } from '@gantry/ui/widgets/toast.tsx';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { type ActedKind, type ActionRow, type ActionTarget, useBatch } from './action-calls.ts';
import { PriceThen } from './price-then.tsx';
import { SelectionBar } from './selection-bar.tsx';
import { usePartsWords } from './use-parts-words.ts';

interface BatchActionsProps {
  kind: ActedKind;
  selected: readonly ActionTarget[];
  /** Commands that need more than a selection, such as a name. */
  without?: readonly string[];
  onClear(): void;
}

interface Offer extends ActionRow {
  readonly targets: readonly ActionTarget[];
}

/** The commands for at least one of them, with those objects. */
export function offersOf(selected: readonly ActionTarget[], without: readonly string[]): readonly Offer[] {
  const offers = new Map<string, { row: ActionRow; targets: ActionTarget[] }>();
  for (const target of selected) {
    for (const row of target.actions) {
      const offer = offers.get(row.action);
      // Added, not copied: all of ten thousand may be selected, and each change draws this again.
      if (offer) offer.targets.push(target);
      else if (!without.includes(row.action)) offers.set(row.action, { row, targets: [target] });
    }
  }
  return [...offers.values()].map(({ row, targets }) => ({ ...row, targets }));
}

type Answers = readonly { id: string; code: number; message: string }[];

/** Mount it where something is selected. */
export function BatchActions({ kind, selected, without = [], onClear }: BatchActionsProps) {
  const t = usePartsWords();
  const ui = useUiWords();
  const toast = useToast();
  const batch = useBatch(kind);
  const [asked, setAsked] = useState<Offer>();
  const [refused, setRefused] = useState<{ all: number; answers: Answers }>();
  const offers = offersOf(selected, without);
  const nameOf = (id: string) => selected.find((target) => target.id === id)?.name ?? id;

  const give = async ({ action, danger, targets }: Offer) => {
    const ids = targets.map(({ id }) => id);
    const answers = await batch.give(ids, action, danger === 'destroys').catch(() => undefined);
    // A failure of the whole call stays in the question, with its sentence.
    if (!answers) return;
    setAsked(undefined);
    const failed = answers.filter(({ code }) => code !== 0);
    if (failed.length > 0) setRefused({ all: answers.length, answers: failed });
    else toast.success(ui('toasts.done'));
  };

  return (
    <>
      <SelectionBar count={selected.length} onClear={onClear}>
        {offers.map((offer) => (
          <Guarded key={offer.action} node={`${kind}.${offer.action}`}>
            <Button
              size="small"
              variant="outlined"
              color={offer.danger === 'destroys' ? 'error' : 'primary'}
              onClick={() => setAsked(offer)}
            >
              {t('actions.count', { action: offer.label, count: offer.targets.length })}
            </Button>
          </Guarded>
        ))}
        {offers.length === 0 && (
          <Typography variant="body2" color="text.secondary">
            {t('actions.noneInCommon')}
          </Typography>
        )}
      </SelectionBar>
      {asked && (
        <ConfirmDialog
          title={t('actions.askMany', { action: asked.label, smart_count: asked.targets.length })}
          {...(asked.danger === 'destroys' && {
            lost: asked.targets.map(({ name }) => t('actions.destroys', { name })),
            isBulk: true,
          })}
          confirmLabel={asked.label}
          isDangerous={asked.danger === 'destroys'}
          isBusy={batch.isPending}
          error={batch.error}
          onConfirm={() => void give(asked)}
          onClose={() => {
            batch.reset();
            setAsked(undefined);
          }}
        >
          {asked.danger === 'destroys' ? undefined : (
            <>
              {asked.danger === 'interrupts' && t('actions.interruptsMany')}
              <ul>
                {asked.targets.map(({ id, name, actions }) => {
                  const price = actions.find(({ action }) => action === asked.action)?.price;
                  return (
                    <li key={id}>
                      {name === id ? name : t('actions.nameAndId', { name, id })} {price && <PriceThen price={price} />}
                    </li>
                  );
                })}
              </ul>
            </>
          )}
        </ConfirmDialog>
      )}
      {refused && (
        <Dialog open onClose={() => setRefused(undefined)} fullWidth maxWidth="sm">
          <DialogTitle>
            {t('actions.partly', { done: refused.all - refused.answers.length, all: refused.all })}
          </DialogTitle>
          <DialogContent>
            {t('actions.partlyHint')}
            <Box component="ul">
              {refused.answers.map(({ id, message }) => (
                <li key={id}>
                  <strong>{nameOf(id)}</strong>: {message}
                </li>
              ))}
            </Box>
          </DialogContent>
          <DialogActions>
            <Button onClick={() => setRefused(undefined)}>{ui('actions.close')}</Button>
          </DialogActions>
        </Dialog>
      )}
    </>
  );
}
