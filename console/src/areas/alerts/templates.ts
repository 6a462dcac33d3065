// Common policies, as values that a form begins with.
import type { AlertMetricName, WatchedKind } from '@gantry/contract/alerts/metrics.ts';
import type { AlertLevel } from '@gantry/contract/kinds/alert-policy.ts';
import type { PolicyValues, RuleValues } from './policy-values.ts';

const of = (kind: WatchedKind, metric: AlertMetricName) => ({ objects: { kind, names: [], labels: [] }, metric });

/** One rule, and how many cycles begin and end an alarm. */
const when = (
  compare: RuleValues['compare'],
  value: number,
  level: AlertLevel,
  [met, all, endsAfter]: readonly [number, number, number],
) => ({ rules: [{ type: 'Threshold', compare, value, level }] as RuleValues[], begins: { met, of: all }, endsAfter });

export const TEMPLATES = {
  hotGpu: {
    ...of('GpuInstance', 'GpuTemperature'),
    ...{ aggregation: 'Maximum', groupBy: ['gpu'] },
    ...when('Above', 85, 'Critical', [3, 5, 5]),
  },
  idleGpu: {
    ...of('GpuInstance', 'GpuUtilization'),
    ...{ aggregation: 'Average', periodSeconds: 900 },
    ...when('Below', 5, 'Warning', [4, 4, 1]),
  },
  xid: {
    ...of('GpuInstance', 'GpuXid'),
    ...{ aggregation: 'Maximum', groupBy: ['gpu'] },
    ...when('Above', 0, 'Critical', [1, 1, 5]),
  },
  fullDisk: {
    ...of('DataDisk', 'DiskUsed'),
    ...{ aggregation: 'Last', periodSeconds: 300 },
    ...when('Above', 90, 'Warning', [2, 2, 2]),
  },
  lowCredit: {
    ...of('Organization', 'CreditHours'),
    ...{ aggregation: 'Last', periodSeconds: 300 },
    ...when('Below', 24, 'Critical', [1, 1, 2]),
  },
  failedJob: { ...of('Job', 'Failed'), aggregation: 'Last', ...when('Above', 0, 'Critical', [1, 1, 1]) },
  slowService: {
    ...of('ModelDeployment', 'RequestSeconds'),
    ...{ aggregation: 'Average', periodSeconds: 300 },
    ...when('Above', 10, 'Warning', [2, 3, 2]),
  },
  longQueue: {
    ...of('ModelDeployment', 'ModelQueue'),
    aggregation: 'Average',
    ...when('Above', 20, 'Warning', [3, 5, 3]),
  },
  stalledTraining: {
    ...of('FineTune', 'TuneStepAge'),
    ...{ aggregation: 'Last', periodSeconds: 300 },
    ...when('Above', 900, 'Warning', [1, 1, 1]),
  },
} as const satisfies Record<string, Partial<PolicyValues>>;
export type TemplateName = keyof typeof TEMPLATES;
export const TEMPLATE_NAMES = Object.keys(TEMPLATES) as TemplateName[];

/** None for a name that is not one of them. */
export const templateOf = (name: string | null): Partial<PolicyValues> =>
  name !== null && Object.hasOwn(TEMPLATES, name) ? TEMPLATES[name as TemplateName] : {};
