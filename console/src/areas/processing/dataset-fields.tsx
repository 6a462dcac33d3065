// What is read, and where the result goes.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useList } from '@gantry/ui/client/use-api.tsx';
import { fieldsOf } from '@gantry/ui/form/fields.tsx';
import Box from '@mui/material/Box';
import { useFormContext, useWatch } from 'react-hook-form';
import { FormSection } from '../../parts/workload/form-section.tsx';
import type { ProcessValues } from './processing-values.ts';
import { useProcessingWords } from './use-processing-words.ts';

const Field = fieldsOf<ProcessValues>();
const ALL = { size: 1000 } as const;
/** No id of a dataset is empty. */
const NEW = '';
const EMPTY_SHOWN = { select: { displayEmpty: true }, inputLabel: { shrink: true } } as const;
const TWO = { display: 'grid', gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' }, gap: 2 } as const;

interface Option {
  readonly value: string;
  readonly label: string;
}

/** What is chosen stays among them, whether it is listed or not (yet). */
const withChosen = (options: readonly Option[], chosen: string): readonly Option[] =>
  chosen === '' || options.some(({ value }) => value === chosen)
    ? options
    : [...options, { value: chosen, label: chosen }];

export function DatasetFields() {
  const t = useProcessingWords();
  const { control, setValue } = useFormContext<ProcessValues>();
  const [input, output] = useWatch({ control, name: ['input', 'output'] });
  const { items: own } = useList(CALLS.listDatasets, {}, ALL);
  const { items: library } = useList(CALLS.listDatasetLibrary, {}, ALL);
  const { items: versions } = useList(
    CALLS.listDatasetVersions,
    { params: { id: input.dataset } },
    { ...ALL, enabled: input.dataset !== '' },
  );
  const named = (all: readonly { id: string; name: string }[]) =>
    all.map(({ id, name }) => ({ value: id, label: name }));
  const readable = [...new Map([...own, ...library].map((one) => [one.id, one])).values()];
  const ready = versions
    .filter(({ state }) => state === 'ready')
    .map(({ version }) => ({ value: `${version}`, label: t('fields.version', { version }) }));
  return (
    <>
      <FormSection title={t('form.input')}>
        <Box sx={TWO}>
          <Field.Select
            name="input.dataset"
            label={t('fields.input')}
            options={withChosen(named(readable), input.dataset)}
            // A version is one of its dataset.
            onChosen={() => setValue('input.version', '')}
            isRequired
          />
          <Field.Select
            name="input.version"
            label={t('form.version')}
            help={input.version === '' ? t('form.versionHint') : undefined}
            options={[{ value: '', label: t('fields.newestVersion') }, ...withChosen(ready, input.version)]}
            slotProps={EMPTY_SHOWN}
          />
        </Box>
        <Field.Text name="input.columns" label={t('form.columns')} help={t('form.columnsHint')} autoComplete="off" />
      </FormSection>
      <FormSection title={t('form.output')} hint={t('form.outputHint')}>
        <Box sx={TWO}>
          <Field.Select
            name="output.dataset"
            label={t('fields.output')}
            options={[{ value: NEW, label: t('fields.newDataset') }, ...withChosen(named(own), output.dataset)]}
            slotProps={EMPTY_SHOWN}
          />
          {output.dataset === NEW && (
            <Field.Text name="output.name" label={t('form.outputName')} isRequired autoComplete="off" />
          )}
        </Box>
      </FormSection>
    </>
  );
}
