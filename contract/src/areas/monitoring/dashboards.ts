// Dashboards that an organisation's people made of PromQL: all of its members see them, and share them with Grafana.
import * as z from 'zod';
import { defineRoute } from '../../http/define-route.ts';
import { dashboardTitle, panel, panels } from '../../monitor/panels.ts';

const tag = 'monitor';
const path = '/monitor/v1/dashboard';
const view = { right: 'view' } as const;
const use = { right: 'use' } as const;
const MOST_FILE_BYTES = 1024 * 1024;
export const MOST_DASHBOARDS = 50;

const id = z.string().regex(/^[a-z0-9-]{1,63}$/);
const params = z.object({ id });
const version = z.int().min(1).meta({ description: 'Another with each change.' });

const row = z.object({
  id: z.string(),
  title: z.string(),
  panel_count: z.int(),
  version,
  editor: z.string().meta({ description: 'The name of the account that changed it last.' }),
  update_time: z.iso.datetime(),
});
export type DashboardRowView = z.input<typeof row>;
const dashboard = row.extend({ panels: z.array(panel) });
export type DashboardView = z.output<typeof dashboard>;

export const dashboardBody = z.strictObject({ title: dashboardTitle, panels: panels.default([]) });

const grafana = z
  .record(z.string(), z.unknown())
  .meta({ description: 'A dashboard as Grafana exports and imports it.' });

export const DASHBOARD_ROUTES = {
  listDashboards: defineRoute({
    id: 'listDashboards',
    method: 'GET',
    path,
    tag,
    access: view,
    summary: 'The dashboards that the organisation has made, by title.',
    answer: { result: z.object({ dashboards: z.array(row) }) },
    problems: [],
  }),
  createDashboard: defineRoute({
    id: 'createDashboard',
    method: 'POST',
    path,
    tag,
    access: use,
    summary: 'Makes a dashboard.',
    body: dashboardBody,
    answer: { result: dashboard },
    status: 201,
    problems: ['too_many_dashboards'],
  }),
  importDashboard: defineRoute({
    id: 'importDashboard',
    method: 'POST',
    path: `${path}/import`,
    tag,
    access: use,
    summary: 'Makes a dashboard of a file of Grafana’s; what is not PromQL, or has variables, is left out and named.',
    body: z.strictObject({ file: grafana }),
    bodyBytes: MOST_FILE_BYTES,
    answer: {
      result: z.object({
        dashboard,
        left: z.array(z.object({ title: z.string(), why: z.enum(['noQuery', 'variables', 'tooLong', 'tooMany']) })),
      }),
    },
    status: 201,
    problems: ['too_many_dashboards', 'dashboard_file'],
  }),
  getDashboard: defineRoute({
    id: 'getDashboard',
    method: 'GET',
    path: `${path}/{id}`,
    tag,
    access: view,
    params,
    summary: 'One dashboard with its panels.',
    answer: { result: dashboard },
    problems: [],
  }),
  exportDashboard: defineRoute({
    id: 'exportDashboard',
    method: 'GET',
    path: `${path}/{id}/export`,
    tag,
    access: view,
    params,
    summary: 'A dashboard as Grafana imports it.',
    answer: { result: grafana },
    problems: [],
  }),
  editDashboard: defineRoute({
    id: 'editDashboard',
    method: 'PUT',
    path: `${path}/{id}`,
    tag,
    access: use,
    params,
    summary: 'Changes a dashboard that nobody else has changed meanwhile.',
    body: dashboardBody.extend({ version }),
    answer: { result: dashboard },
    problems: ['conflict'],
  }),
  deleteDashboard: defineRoute({
    id: 'deleteDashboard',
    method: 'DELETE',
    path: `${path}/{id}`,
    tag,
    access: use,
    params,
    summary: 'Deletes a dashboard, for all members.',
    answer: { text: 'ok' },
    problems: [],
  }),
};
