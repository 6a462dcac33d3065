// The form's rules are the contract's own for the body that is made of it, and those that a base, a dataset and a name are chosen by.
import { type ServerForm, useServerForm } from '@gantry/ui/form/use-server-form.ts';
import { useLanguage } from '@gantry/ui/i18n/use-words.tsx';
import type { Path } from 'react-hook-form';
import { formRules } from '../../parts/form-rules.ts';
import type { FormRules } from '../../parts/use-saved-edit.tsx';
import type { TuneValues } from './tuning-values.ts';
import { useTuningWords } from './use-tuning-words.ts';

export function useTuningForm({ first, ...of }: FormRules<TuneValues>): ServerForm<TuneValues> {
  const t = useTuningWords();
  const language = useLanguage();
  return useServerForm<TuneValues>({
    defaultValues: first as never,
    resolver: formRules(of, language, ({ base, datasets, output, method, gpu }, lacks) => {
      if (base.model === '') lacks(['base', 'model'], t('form.chooseBase'));
      else if (base.version.trim() === '') lacks(['base', 'version'], t('form.chooseVersion'));
      datasets.forEach(({ dataset }, at) => {
        const isFirst = datasets.findIndex((one) => one.dataset === dataset) === at;
        if (dataset === '') lacks(['datasets', at, 'dataset'], t('form.chooseDataset'));
        else if (!isFirst) lacks(['datasets', at, 'dataset'], t('form.datasetTwice'));
      });
      if (method === 'QLoRA' && gpu.model === '') lacks(['method'], t('form.quantizedNeedsGpu'));
      if (output.model === '' && output.name.trim() === '') lacks(['output', 'name'], t('form.nameOutput'));
    }),
    fieldOf,
  });
}

/** `spec.base.model` and `base.model` are one field; so are `datasets[0].dataset` and `datasets.0.dataset`. */
const fieldOf = (field: string): Path<TuneValues> =>
  field.replace(/^\.?spec\./, '').replace(/\[(\d+)\]/g, '.$1') as Path<TuneValues>;
