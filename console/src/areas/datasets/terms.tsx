// What of datasets costs something, and what is free.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useCall } from '@gantry/ui/client/use-api.tsx';
import { rateText } from '@gantry/ui/format/money.ts';
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import { useDatasetWords } from './use-dataset-words.ts';

export function Terms() {
  const t = useDatasetWords();
  const ui = useUiWords();
  const { data } = useCall(CALLS.getBillingConfig, { query: {} });
  // A gateway of the version before says nothing of it.
  const rate = data?.stored?.dataset;
  // Until the price is known, nothing is said of it.
  const keeping =
    !data || rate === undefined
      ? []
      : [
          rate === null
            ? t('terms.free')
            : t('terms.priced', { price: ui('price.perGiMonth', { amount: rateText(rate, data.currency) }) }),
        ];
  return [...keeping, t('terms.questions')].map((sentence) => <div key={sentence}>{sentence}</div>);
}
