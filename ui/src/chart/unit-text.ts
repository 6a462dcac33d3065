// A measured value in the unit of its metric.
import type { PanelUnit } from '@gantry/contract/monitor/panels.ts';
import { bytesText } from '../format/size.ts';

const short = (value: number): string => `${Number(value.toPrecision(4))}`;

const TEXTS: Readonly<Record<PanelUnit, (value: number) => string>> = {
  cores: (value) => `${Number(value.toPrecision(3))}`,
  bytes: bytesText,
  bytesPerSecond: (value) => `${bytesText(value)}/s`,
  percent: (value) => `${Number(value.toFixed(1))}%`,
  celsius: (value) => `${Number(value.toFixed(1))} °C`,
  watts: (value) => `${Number(value.toFixed(1))} W`,
  count: (value) => `${Number(value.toFixed(2))}`,
  seconds: (value) => `${short(value)} s`,
  none: short,
};

const isUnit = (unit: string): unit is keyof typeof TEXTS => Object.hasOwn(TEXTS, unit);

/** A number alone for a unit that is not known. */
export const unitText = (unit: string): ((value: number) => string) => TEXTS[isUnit(unit) ? unit : 'none'];

const IN_BYTES: ReadonlySet<string> = new Set<PanelUnit>(['bytes', 'bytesPerSecond']);

/** As on an axis, where values are round: "1.5 GiB" instead of "1.50 GiB". */
export function tickText(unit: string): (value: number) => string {
  const textOf = unitText(unit);
  if (!IN_BYTES.has(unit)) return textOf;
  return (value) => textOf(value).replace(/\.(\d*?)0+ /, (_, kept: string) => (kept === '' ? ' ' : `.${kept} `));
}
