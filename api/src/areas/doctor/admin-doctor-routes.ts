// Checks of the cluster over HTTP.

import { DOCTOR_COMMANDS as C } from '@gantry/contract/areas/doctor/admin-doctor.ts';
import type { AdminRow } from '@gantry/contract/http/admin.ts';
import { type Served, serve } from '../../platform/http/serve.ts';
import type { ClusterChecks } from './cluster-checks.ts';

export const adminDoctorRoutes = (
  clusterChecks: ClusterChecks,
  one: (name: 'cluster-checks', id: string) => Promise<AdminRow<'cluster-checks'>>,
): Served[] => [
  serve(C.adminCheckCluster, async ({ caller, body: { reason }, audit }) => {
    Object.assign(audit, { reason });
    const id = await clusterChecks.start(caller.account.id, reason);
    audit.object = `ClusterCheck/${id}`;
    return one('cluster-checks', id);
  }),
];
