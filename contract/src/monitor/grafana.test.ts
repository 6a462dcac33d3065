import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { fromGrafana, toGrafana } from './grafana.ts';
import { MOST_PANELS, PANEL_CHARTS, PANEL_UNITS, PANEL_WIDTHS, type Panel, panel } from './panels.ts';

const cpu: Panel = { title: 'CPU', query: 'rate(a[5m])', unit: 'cores', chart: 'lines', width: 'half' };

test('a dashboard that was exported is imported as it was', () => {
  const panels = PANEL_UNITS.flatMap((unit, at): Panel[] => [
    {
      ...{ ...cpu, title: `panel ${at}`, unit },
      chart: PANEL_CHARTS[at % PANEL_CHARTS.length] ?? 'lines',
      width: PANEL_WIDTHS[at % PANEL_WIDTHS.length] ?? 'half',
    },
  ]);
  expect(fromGrafana(JSON.parse(JSON.stringify(toGrafana({ title: 'ours', panels }))))).toEqual({
    title: 'ours',
    panels,
    left: [],
  });
});

test.each(['label_replace(up, "a", "$1", "b", "(.*)")', 'up{job=~"[[:alpha:]]+"}'])('%s has no variable', (query) => {
  const panels = [{ ...cpu, query }];
  const exported = JSON.parse(JSON.stringify(toGrafana({ title: 'ours', panels })));
  expect(fromGrafana(exported)).toMatchObject({ panels, left: [] });
});

test('no two panels of an exported dashboard lie on each other', () => {
  const widths = ['half', 'full', 'half', 'half'] as const;
  const { panels } = toGrafana({ title: 'ours', panels: widths.map((width) => ({ ...cpu, width })) });
  expect((panels as { gridPos: object }[]).map(({ gridPos }) => gridPos)).toEqual([
    { x: 0, y: 0, w: 12, h: 8 },
    { x: 0, y: 8, w: 24, h: 8 },
    { x: 0, y: 16, w: 12, h: 8 },
    { x: 12, y: 16, w: 12, h: 8 },
  ]);
});

const targets = [{ expr: 'up' }];
test('panels of rows, of several queries and of Grafana’s own intervals are taken in the order of the page', () => {
  const file = {
    dashboard: {
      title: 'Theirs',
      panels: [
        { type: 'graph', title: 'low', gridPos: { y: 9, w: 24 }, targets: [{ expr: 'rate(a[$__rate_interval])' }] },
        { type: 'row', gridPos: { y: 0 }, panels: [{ type: 'stat', title: 'in a row', targets, gridPos: { y: 1 } }] },
        { type: 'timeseries', title: 'two', gridPos: { y: 5 }, targets: [{ expr: 'a' }, { expr: 'b' }] },
      ],
    },
  };
  expect(fromGrafana(file)?.panels.map(({ title, query, chart }) => [title, query, chart])).toEqual([
    ['in a row', 'up', 'value'],
    ['two 1', 'a', 'lines'],
    ['two 2', 'b', 'lines'],
    ['low', 'rate(a[5m])', 'lines'],
  ]);
});

test('what cannot be taken is named, with the reason', () => {
  const panels = [
    { type: 'text', title: 'hello' },
    { type: 'graph', title: 'by job', targets: [{ expr: 'up{job="$job"}' }] },
    { type: 'graph', title: 'long', targets: [{ expr: 'a'.repeat(5000) }] },
    { type: 'graph', title: 'ends with a dollar', targets: [{ expr: 'up{job=~"a$"}' }] },
    ...Array.from({ length: MOST_PANELS }, (_, at) => ({ title: `p ${at}`, targets })),
  ];
  expect(fromGrafana({ title: 'x', panels })?.left).toEqual([
    { title: 'hello', why: 'noQuery' },
    { title: 'by job', why: 'variables' },
    { title: 'long', why: 'tooLong' },
    { title: `p ${MOST_PANELS - 1}`, why: 'tooMany' },
  ]);
});

test('a file that has no panels is no dashboard', () => {
  for (const file of [null, 7, [], {}, { title: 'x' }, { dashboard: [] }]) expect(fromGrafana(file)).toBeUndefined();
});

test('whatever a file holds, only sound panels come of it', () => {
  const field = fc.oneof(fc.string(), fc.integer(), fc.constant(null), fc.array(fc.anything()));
  const hostile = fc.record({
    title: field,
    panels: fc.array(
      fc.record({
        type: field,
        title: field,
        targets: fc.oneof(field, fc.array(fc.record({ expr: field }))),
        gridPos: field,
      }),
    ),
  });
  fc.assert(
    fc.property(hostile, (file) => {
      const imported = fromGrafana(file);
      for (const one of imported?.panels ?? []) expect(panel.parse(one)).toEqual(one);
    }),
  );
});
