// The price list of an installation that has none yet: what the market takes for whole cards on demand, so that everything that
// can be used has a price from the first moment on. Staff change it from then on.
import { planSku } from '@gantry/contract/billing/plans.ts';
import { type Micros, parseMoney } from '@gantry/contract/fields/money.ts';

/** USD for a card's hour. `any` stands for every model that is not named. */
const PER_GPU_HOUR: Readonly<Record<string, string>> = {
  'NVIDIA-GB200': '6.40',
  'NVIDIA-B200': '4.99',
  'NVIDIA-H200': '3.59',
  'NVIDIA-H200-NVL': '3.29',
  'NVIDIA-GH200-480GB': '2.29',
  'NVIDIA-H100-80GB-HBM3': '2.69',
  'NVIDIA-H100-NVL': '2.59',
  'NVIDIA-H100-PCIe': '2.39',
  'NVIDIA-H20': '1.99',
  'NVIDIA-A100-SXM4-80GB': '1.49',
  'NVIDIA-A100-80GB-PCIe': '1.39',
  'NVIDIA-A100-SXM4-40GB': '1.19',
  'NVIDIA-A800-SXM4-80GB': '1.49',
  'NVIDIA-L40S': '0.86',
  'NVIDIA-L40': '0.79',
  'NVIDIA-L20': '0.69',
  'NVIDIA-L4': '0.43',
  'NVIDIA-A40': '0.44',
  'NVIDIA-A30': '0.39',
  'NVIDIA-A10': '0.34',
  'NVIDIA-RTX-PRO-6000-Blackwell-Server-Edition': '1.69',
  'NVIDIA-RTX-6000-Ada-Generation': '0.77',
  'NVIDIA-RTX-A6000': '0.49',
  'NVIDIA-RTX-A5000': '0.29',
  'NVIDIA-RTX-A4000': '0.19',
  'NVIDIA-GeForce-RTX-5090': '0.89',
  'NVIDIA-GeForce-RTX-4090': '0.49',
  'NVIDIA-GeForce-RTX-3090': '0.26',
  'Tesla-V100-SXM2-32GB': '0.39',
  'Tesla-V100-SXM2-16GB': '0.29',
  'Tesla-T4': '0.22',
  any: '2.99',
};

/** USD for a node's month, about a fifth below its cards by the hour: eight cards, four of L40, two of GeForce. */
const PER_HOST_MONTH: Readonly<Record<string, string>> = {
  'NVIDIA-GB200': '14900',
  'NVIDIA-B200': '22900',
  'NVIDIA-H200': '16900',
  'NVIDIA-H200-NVL': '15400',
  'NVIDIA-H100-80GB-HBM3': '12500',
  'NVIDIA-H100-NVL': '11900',
  'NVIDIA-H100-PCIe': '10900',
  'NVIDIA-H20': '9400',
  'NVIDIA-A100-SXM4-80GB': '6900',
  'NVIDIA-A100-80GB-PCIe': '6400',
  'NVIDIA-A100-SXM4-40GB': '5400',
  'NVIDIA-A800-SXM4-80GB': '6900',
  'NVIDIA-L40S': '1990',
  'NVIDIA-L40': '1890',
  'NVIDIA-L4': '1900',
  'NVIDIA-A10': '1500',
  'NVIDIA-GeForce-RTX-5090': '990',
  'NVIDIA-GeForce-RTX-4090': '590',
  'NVIDIA-GeForce-RTX-3090': '290',
  'Tesla-V100-SXM2-32GB': '1700',
  'Tesla-T4': '900',
  any: '13900',
};

const OTHERS: Readonly<Record<string, string>> = {
  cpu: '0.012',
  memory: '0.002',
  disk: '0.10',
  snapshot: '0.05',
  [planSku('standard')]: '49',
};

/** The models of the first list. */
export const PRICED_GPU_MODELS: readonly string[] = Object.keys(PER_GPU_HOUR).filter((model) => model !== 'any');

/** How many of a currency's units equal a dollar in the default list; another currency begins without prices. */
const PER_DOLLAR: Readonly<Record<string, bigint>> = { USD: 1n, CNY: 7n, JPY: 150n };

/** Undefined for a currency that has no default list. */
export function defaultPrices(currency: string): { sku: string; amount: Micros }[] | undefined {
  const rate = PER_DOLLAR[currency];
  if (rate === undefined) return undefined;
  const named = (resource: string, amounts: Readonly<Record<string, string>>) =>
    Object.entries(amounts).map(([model, amount]) => [`${resource}/${model}`, amount] as const);
  return [...named('gpu', PER_GPU_HOUR), ...named('host', PER_HOST_MONTH), ...Object.entries(OTHERS)].map(
    ([sku, amount]) => ({ sku, amount: (parseMoney(amount) * rate) as Micros }),
  );
}
