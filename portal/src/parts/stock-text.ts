// What is free, as the installation tells it: a count, or a step.
import type { PortalWords } from '../page-module.ts';

interface Stock {
  readonly step: 'none' | 'few' | 'some' | 'many';
  readonly count: number | null;
}

export const stockText = (t: PortalWords, { step, count }: Stock): string =>
  count === null ? t(`market.steps.${step}`) : `${count}`;
