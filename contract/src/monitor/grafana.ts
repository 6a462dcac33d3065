// Dashboards in Grafana's JSON: ours say all that they are; of theirs, what is PromQL and fits is taken, and the rest is named. Pure.
// The shape is that of Grafana's `Dashboard` schema, version 39; versions before 16 had rows of panels.
import * as z from 'zod';
import {
  dashboardTitle,
  MOST_PANELS,
  type Panel,
  type PanelChart,
  type PanelUnit,
  panel as panelSchema,
} from './panels.ts';

export interface Drawn {
  title: string;
  panels: Panel[];
}

const VERSION = 39;
/** The variable that Grafana asks for when it imports the file. */
const SOURCE = 'DS_PROMETHEUS';
/** Grafana's grid. */
const COLUMNS = 24;
const ROWS = 8;

/** Units by Grafana's names; the first of a row is what we write. */
const UNITS: Readonly<Record<PanelUnit, readonly [string, ...string[]]>> = {
  none: ['none'],
  count: ['short'],
  percent: ['percent'],
  cores: ['suffix: cores'],
  bytes: ['bytes', 'decbytes'],
  bytesPerSecond: ['Bps', 'binBps'],
  celsius: ['celsius'],
  watts: ['watt'],
  seconds: ['s'],
};
/** Types of panels by Grafana's names; likewise. */
const CHARTS: Readonly<Record<PanelChart, readonly [string, ...string[]]>> = {
  lines: ['timeseries', 'graph', 'barchart', 'heatmap', 'state-timeline'],
  value: ['stat', 'singlestat', 'gauge', 'bargauge'],
  table: ['table', 'table-old', 'piechart'],
};

const keyWith = <Key extends string>(rows: Readonly<Record<Key, readonly string[]>>, name: unknown): Key | undefined =>
  (Object.keys(rows) as Key[]).find((key) => rows[key].includes(name as string));

/** A file that Grafana imports: it asks for the Prometheus that is meant. */
export function toGrafana({ title, panels }: Drawn): Record<string, unknown> {
  const datasource = { type: 'prometheus', uid: `\${${SOURCE}}` };
  let [x, y] = [0, 0];
  return {
    __inputs: [{ name: SOURCE, label: 'Prometheus', type: 'datasource', pluginId: 'prometheus' }],
    title,
    schemaVersion: VERSION,
    time: { from: 'now-1h', to: 'now' },
    panels: panels.map(({ title, query, unit, chart, width }, at) => {
      const w = width === 'full' ? COLUMNS : COLUMNS / 2;
      if (x + w > COLUMNS) [x, y] = [0, y + ROWS];
      const gridPos = { x, y, w, h: ROWS };
      x += w;
      return {
        ...{ id: at + 1, title, type: CHARTS[chart][0], datasource, gridPos },
        targets: [{ refId: 'A', expr: query, datasource, ...(chart !== 'lines' && { instant: true }) }],
        fieldConfig: { defaults: { unit: UNITS[unit][0] }, overrides: [] },
      };
    }),
  };
}

/** Why a panel was left out. */
export type LeftOut = 'noQuery' | 'variables' | 'tooLong' | 'tooMany';
export interface Imported extends Drawn {
  left: { title: string; why: LeftOut }[];
}

const loose = z.looseObject({});
const asObject = (value: unknown): Record<string, unknown> => loose.safeParse(value).data ?? {};
const asList = (value: unknown): Record<string, unknown>[] => (Array.isArray(value) ? value.map(asObject) : []);
const asNumber = (value: unknown): number => (Number.isFinite(value) ? (value as number) : 0);

/** Undefined for what is no dashboard of Grafana's: it has neither panels nor rows of them. */
export function fromGrafana(file: unknown): Imported | undefined {
  // The API of Grafana wraps what its files hold.
  const whole = asObject(file);
  const { title, panels, rows } = 'dashboard' in whole ? asObject(whole.dashboard) : whole;
  if (!Array.isArray(panels) && !Array.isArray(rows)) return undefined;
  const found = [...asList(panels), ...asList(rows)].flatMap(flat).sort(inPlace);
  const imported: Imported = { title: fitting(title, 'Grafana'), panels: [], left: [] };
  for (const one of found) take(imported, one);
  return imported;
}

/** A row that is closed has its panels in it; one that is open has them behind it. */
function flat(one: Record<string, unknown>): Record<string, unknown>[] {
  const inner = asList(one.panels);
  if (inner.length > 0) return inner;
  return one.type === 'row' ? [] : [one];
}

function inPlace(one: Record<string, unknown>, other: Record<string, unknown>): number {
  const [here, there] = [asObject(one.gridPos), asObject(other.gridPos)];
  return asNumber(here.y) - asNumber(there.y) || asNumber(here.x) - asNumber(there.x);
}

/** Each query becomes a panel of its own. */
function take({ panels, left }: Imported, one: Record<string, unknown>): void {
  const name = fitting(one.title, '–');
  const queries = asList(one.targets).flatMap(({ expr }) => (typeof expr === 'string' && expr.trim() ? [expr] : []));
  if (queries.length === 0) left.push({ title: name, why: 'noQuery' });
  for (const [at, expr] of queries.entries()) {
    const title = queries.length === 1 ? name : fitting(`${name} ${at + 1}`, name);
    const query = expr.replace(INTERVALS, INTERVAL).trim();
    const parsed = panelSchema.safeParse({
      ...{ title, query },
      unit: keyWith(UNITS, asObject(asObject(one.fieldConfig).defaults).unit) ?? 'none',
      chart: keyWith(CHARTS, one.type) ?? 'lines',
      width: asNumber(asObject(one.gridPos).w) > COLUMNS / 2 ? 'full' : 'half',
    });
    if (query.includes('$') && VARIABLE.test(query)) left.push({ title, why: 'variables' });
    else if (!parsed.success) left.push({ title, why: 'tooLong' });
    else if (panels.length >= MOST_PANELS) left.push({ title, why: 'tooMany' });
    else panels.push(parsed.data);
  }
}

/** Intervals that Grafana itself fills in; ours fits four scrapes, one a minute. */
const INTERVALS = /\$(?:\{__(?:rate_interval|interval|range)\}|__(?:rate_interval|interval|range))(?![\w])/g;
const INTERVAL = '5m';
/** Before a digit a dollar is a group of a pattern, and brackets before a colon are a class of letters. */
const VARIABLE = /\$\{?[A-Za-z_]|\[\[\s*\w/;

/** As much of it as a title may have. */
function fitting(text: unknown, otherwise: string): string {
  const plain = (typeof text === 'string' ? text : '')
    .normalize('NFKC')
    .replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}\u2028\u2029]/gu, ' ')
    .trim();
  const cut = [...plain].slice(0, 60).join('').trim();
  return dashboardTitle.safeParse(cut).success ? cut : otherwise;
}
