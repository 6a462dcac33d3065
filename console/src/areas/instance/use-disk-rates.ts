// What storage costs: a disk by its size, and what is saved, both by the month.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useCall } from '@gantry/ui/client/use-api.tsx';
import { rateText } from '@gantry/ui/format/money.ts';
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import { timesWhole } from './amounts.ts';

/** Sentences' parts: "$2.00 / month" for a disk of `sizeGi`, "$0.05 / GiB and month" for what is saved. */
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
