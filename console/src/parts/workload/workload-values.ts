// The place and size of programs, as the forms of all kinds that run them hold it.

/** A missing number is undefined. */
export interface WorkloadValues {
  image: string;
  /** Empty is the shared pool. */
  host: string;
  /** An empty model is none. */
  gpu: { model: string; count: number | undefined };
  cores: number | undefined;
  memoryGi: number | undefined;
}

/** Whatever is billed reads no image; the API wants one all the same. */
export const ANY_IMAGE = 'library/any:1';

export const isPositive = (number: number | undefined): number is number => number !== undefined && number > 0;

/** A number that is not there is null, which the rule refuses: left out, it would be the default that nobody chose. */
export const numberOrNull = (number: number | undefined): number => number ?? (null as unknown as number);

/** As the API takes it; undefined while a number is missing. */
export function placeOf({ gpu, cores, memoryGi, host }: Omit<WorkloadValues, 'image'>) {
  const card = gpu.model === '' ? undefined : { model: gpu.model, count: gpu.count ?? 0 };
  const isWhole =
    isPositive(cores) && isPositive(memoryGi) && (!card || (Number.isInteger(card.count) && card.count > 0));
  if (!isWhole) return undefined;
  return { ...(card && { gpu: card }), cores, memoryGi, ...(host !== '' && { host }) };
}

/** For a draft: values of the environment are often passwords, so they stay in memory. */
export const withoutEnvValues = <Values extends { env: { name: string; value: string }[] }>(
  values: Values,
): Values => ({
  ...values,
  env: values.env.map((row) => ({ ...row, value: '' })),
});
