// A form that goes on with what was typed before, and says so.
import { ApiProblem } from '@gantry/ui/client/api-problem.ts';
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { FieldValues, UseFormReturn } from 'react-hook-form';
import { useLocation } from 'react-router';
import { draftKey, dropDraft, keepDraft, keptDraft } from './draft.ts';
import { usePartsWords } from './use-parts-words.ts';

export interface FormDraft<Values> {
  /** What the form begins with. */
  readonly begun: Values;
  /** Whether that is what was typed before. */
  readonly isRestored: boolean;
  keep(values: Values): void;
  /**
   * From here on it is not kept: a page that is loaded anew would offer what may be done already. Refused, it is kept again; an
   * answer that never came refuses nothing.
   */
  send<Answer>(values: Values, call: () => Promise<Answer>): Promise<Answer>;
  /** `reset` is given what the form begins with where nothing was typed. */
  startOver(reset: (first: Values) => void): void;
}

const isRefused = (thrown: unknown): boolean => thrown instanceof ApiProblem && !thrown.isUncertain;

/** `form` names it; `first` is what it is like before anything is typed; `keptOf` takes out what is not to be kept. */
export function useDraft<Values extends FieldValues>(
  form: string,
  first: Values,
  keptOf = (values: Values): Values => values,
): FormDraft<Values> {
  const { pathname: path, search } = useLocation();
  const [made] = useState(() => {
    const key = draftKey(form);
    const kept = keptDraft(key, search, first);
    return { key, first, begun: kept ?? first, isOther: kept && JSON.stringify(kept) !== JSON.stringify(first) };
  });
  const [isRestored, setRestored] = useState(made.isOther ?? false);
  const isOut = useRef(false);
  const keep = (values: Values) => {
    if (!isOut.current) keepDraft(made.key, { values: keptOf(values), path, search });
  };
  return {
    begun: made.begun,
    isRestored,
    keep,
    async send(values, call) {
      isOut.current = true;
      dropDraft(made.key);
      try {
        return await call();
      } catch (thrown) {
        isOut.current = !isRefused(thrown);
        keep(values);
        throw thrown;
      }
    },
    startOver(reset) {
      setRestored(false);
      reset(made.first);
      dropDraft(made.key);
    },
  };
}

/** Keeps what is typed, and offers to begin anew where the form began with what was. `children` say what of it is missing. */
export function DraftNotice<Values extends FieldValues>({
  draft,
  form,
  children,
}: {
  draft: FormDraft<Values>;
  form: UseFormReturn<Values>;
  children?: ReactNode;
}) {
  const t = usePartsWords();
  const { keep } = draft;
  useEffect(
    () => form.subscribe({ formState: { values: true }, callback: ({ values }) => keep(values) }),
    [form.subscribe, keep],
  );
  if (!draft.isRestored) return null;
  return (
    <Alert
      severity="info"
      action={
        <Button color="inherit" size="small" onClick={() => draft.startOver(form.reset)}>
          {t('draft.startOver')}
        </Button>
      }
    >
      {t('draft.restored')} {children}
    </Alert>
  );
}
