// Storage prices: a disk by its size, and saved data, both by the month.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useCall } from '@gantry/ui/client/use-api.tsx';
import { rateText } from '@gantry/ui/format/money.ts';
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import { timesWhole } from './amounts.ts';

/** Parts of sentences: "$2.00 / month" for a disk of `sizeGi`, "$0.05 / GiB per month" for saved data. */
export function useDiskRates(): (sizeGi: number) => { disk: string; saved: string } {
  const t = useUiWords();
  const { data } = useCall(CALLS.getBillingConfig, { query: {} });
  return (sizeGi) => {
    const dash = t('states.unknown');
    if (!data) return { disk: dash, saved: dash };
    const { currency, disk, snapshot } = data;
    return {
      disk:
        disk.amount === null
          ? dash
          : t('price.perMonth', { amount: rateText(timesWhole(disk.amount, sizeGi), currency) }),
      saved: snapshot === null ? dash : t('price.perGiMonth', { amount: rateText(snapshot, currency) }),
    };
  };
}
