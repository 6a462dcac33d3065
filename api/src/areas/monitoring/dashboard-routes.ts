// Dashboards of the token's organisation, over HTTP.
import { type DashboardView, DASHBOARD_ROUTES as R } from '@gantry/contract/areas/monitoring/dashboards.ts';
import { problem } from '@gantry/contract/http/problem.ts';
import { fromGrafana, toGrafana } from '@gantry/contract/monitor/grafana.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { type Served, serve } from '../../platform/http/serve.ts';
import type { DashboardRow, Dashboards } from './dashboards.ts';

export const dashboardRoutes = (dashboards: Dashboards): Served[] => [
  serve(R.listDashboards, async ({ caller }) => ({
    dashboards: (await dashboards.list(caller.organization.id)).map(rowView),
  })),
  serve(R.createDashboard, async ({ caller, body, audit, idempotencyKey }) => {
    const made = await dashboards.create(editorOf(caller), body, idempotencyKey);
    audit.object = objectOf(made.id);
    return dashboardView(made);
  }),
  serve(R.importDashboard, async ({ caller, body, audit, idempotencyKey }) => {
    const imported = fromGrafana(body.file);
    if (!imported) throw problem('dashboard_file');
    const { left, ...wish } = imported;
    const made = await dashboards.create(editorOf(caller), wish, idempotencyKey);
    audit.object = objectOf(made.id);
    return { dashboard: dashboardView(made), left };
  }),
  serve(R.getDashboard, async ({ caller, params }) =>
    dashboardView(await dashboards.get(caller.organization.id, params.id)),
  ),
  serve(R.exportDashboard, async ({ caller, params }) =>
    toGrafana(await dashboards.get(caller.organization.id, params.id)),
  ),
  serve(R.editDashboard, async ({ caller, params, body: { version, ...wish }, audit }) => {
    audit.object = objectOf(params.id);
    return dashboardView(await dashboards.edit(editorOf(caller), params.id, version, wish));
  }),
  serve(R.deleteDashboard, async ({ caller, params, audit }) => {
    audit.object = objectOf(params.id);
    await dashboards.remove(caller.organization.id, params.id);
  }),
];

const objectOf = (id: string): string => `Dashboard/${id}`;
const editorOf = ({ account, organization }: Caller) => ({ organizationId: organization.id, editor: account.name });

const rowView = ({ id, title, panels, version, editor, updatedAt }: DashboardRow) => ({
  ...{ id, title, version, editor },
  panel_count: panels.length,
  update_time: updatedAt.toISOString(),
});
const dashboardView = (row: DashboardRow): DashboardView => ({ ...rowView(row), panels: row.panels });
