// The form's rules are the contract's own for the body that is made of it, and those that a dataset, a name and a model are chosen by.
import { type ServerForm, useServerForm } from '@gantry/ui/form/use-server-form.ts';
import { useLanguage } from '@gantry/ui/i18n/use-words.tsx';
import type { FieldErrors, Path } from 'react-hook-form';
import { formRules } from '../../parts/form-rules.ts';
import type { FormRules } from '../../parts/use-saved-edit.tsx';
import { asksModel, type ProcessValues } from './processing-values.ts';
import { useProcessingWords } from './use-processing-words.ts';

export function useProcessingForm({ first, ...of }: FormRules<ProcessValues>): ServerForm<ProcessValues> {
  const t = useProcessingWords();
  const language = useLanguage();
  const check = formRules<ProcessValues>(of, language, (values, lacks) => {
    if (values.input.dataset === '') lacks(['input', 'dataset'], t('form.chooseDataset'));
    if (values.output.dataset === '' && values.output.name.trim() === '')
      lacks(['output', 'name'], t('form.nameOutput'));
    if (asksModel(values) && values.model.trim() === '') lacks(['model'], t('form.chooseModel'));
  });
  return useServerForm<ProcessValues>({
    defaultValues: first as never,
    resolver: async (values, context, options) => {
      const checked = await check(values, context, options);
      const errors = atLists(checked.errors as ErrorTree);
      return Object.keys(errors).length === 0 ? checked : { values: {}, errors: errors as FieldErrors<ProcessValues> };
    },
    fieldOf,
  });
}

interface ErrorTree {
  [name: string]: ErrorTree | undefined;
}

/** What is typed as one text, and is a list in the body. */
const LISTS = [
  ['input', 'columns'],
  ['graph', 'entityTypes'],
  ['clean', 'languages'],
  ['convert', 'columns'],
] as const;

/** An error of one of a list's words is the field's. */
function atLists(errors: ErrorTree): ErrorTree {
  const moved = { ...errors };
  for (const [group, name] of LISTS) {
    const found = moved[group]?.[name];
    if (!found || typeof found.message === 'string') continue;
    const first = Object.values(found).find((one) => typeof one?.message === 'string');
    if (first) moved[group] = { ...moved[group], [name]: first };
  }
  return moved;
}

/** `spec.input.dataset` and `input.dataset` are one field; a word of a list is the list's. */
const fieldOf = (field: string): Path<ProcessValues> =>
  field
    .replace(/^\.?spec\./, '')
    .replace(
      /^(input\.columns|graph\.entityTypes|clean\.languages|convert\.columns)[.[].*/,
      '$1',
    ) as Path<ProcessValues>;
