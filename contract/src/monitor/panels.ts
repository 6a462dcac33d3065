// The parts of a dashboard. A panel is PromQL with a way to show its answer; each reader queries it for their own organisation.
import * as z from 'zod';
import { plainText } from '../fields/plain-text.ts';

/** A title for all three languages' letters. */
const TITLE = 100;
export const MOST_PANELS = 24;
export const MOST_QUERY = 4096;

export const PANEL_UNITS = [
  'none',
  'count',
  'percent',
  'cores',
  'bytes',
  'bytesPerSecond',
  'celsius',
  'watts',
  'seconds',
] as const;
export type PanelUnit = (typeof PANEL_UNITS)[number];

/** Over time, or the newest value of each series: as one number, or as a table. */
export const PANEL_CHARTS = ['lines', 'value', 'table'] as const;
export type PanelChart = (typeof PANEL_CHARTS)[number];

/** Widths relative to the page; on a narrow screen every panel is as wide as the page. */
export const PANEL_WIDTHS = ['half', 'full'] as const;

export const panel = z.strictObject({
  title: plainText(TITLE),
  query: z
    .string()
    .trim()
    .min(1)
    .max(MOST_QUERY)
    .meta({ description: 'PromQL, which sees the own organisation alone.' }),
  unit: z.enum(PANEL_UNITS).default('none'),
  chart: z.enum(PANEL_CHARTS).default('lines'),
  width: z.enum(PANEL_WIDTHS).default('half'),
});
export type Panel = z.output<typeof panel>;

export const dashboardTitle = plainText(TITLE);
export const panels = z.array(panel).max(MOST_PANELS);
