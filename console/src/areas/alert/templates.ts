// What policies usually watch: values that a form begins with.
import type { PolicyValues } from './policy-values.ts';

export const TEMPLATES = {
  hotGpu: {
    ...{ kind: 'GpuInstance', metric: 'GpuTemperature', aggregation: 'Maximum', groupBy: 'gpu' },
    ...{ compare: 'Above', value: 85, level: 'Critical', met: 3, of: 5, endsAfter: 5 },
  },
  idleGpu: {
    ...{ kind: 'GpuInstance', metric: 'GpuUtilization', aggregation: 'Average', periodSeconds: 900 },
    ...{ compare: 'Below', value: 5, level: 'Warning', met: 4, of: 4, endsAfter: 1 },
  },
  xid: {
    ...{ kind: 'GpuInstance', metric: 'GpuXid', aggregation: 'Maximum', groupBy: 'gpu' },
    ...{ compare: 'Above', value: 0, level: 'Critical', met: 1, of: 1, endsAfter: 5 },
  },
  fullDisk: {
    ...{ kind: 'DataDisk', metric: 'DiskUsed', aggregation: 'Last', periodSeconds: 300 },
    ...{ compare: 'Above', value: 90, level: 'Warning', met: 2, of: 2, endsAfter: 2 },
  },
  lowCredit: {
    ...{ kind: 'Organization', metric: 'CreditHours', aggregation: 'Last', periodSeconds: 300 },
    ...{ compare: 'Below', value: 24, level: 'Critical', met: 1, of: 1, endsAfter: 2 },
  },
  failedJob: {
    ...{ kind: 'Job', metric: 'Failed', aggregation: 'Last' },
    ...{ compare: 'Above', value: 0, level: 'Critical', met: 1, of: 1, endsAfter: 1 },
  },
  slowService: {
    ...{ kind: 'ModelDeployment', metric: 'RequestSeconds', aggregation: 'Average', periodSeconds: 300 },
    ...{ compare: 'Above', value: 10, level: 'Warning', met: 2, of: 3, endsAfter: 2 },
  },
  longQueue: {
    ...{ kind: 'ModelDeployment', metric: 'ModelQueue', aggregation: 'Average' },
    ...{ compare: 'Above', value: 20, level: 'Warning', met: 3, of: 5, endsAfter: 3 },
  },
} as const satisfies Record<string, Partial<PolicyValues>>;
export type TemplateName = keyof typeof TEMPLATES;
export const TEMPLATE_NAMES = Object.keys(TEMPLATES) as TemplateName[];

/** None for a name that is not one of them. */
export const templateOf = (name: string | null): Partial<PolicyValues> =>
  name !== null && Object.hasOwn(TEMPLATES, name) ? TEMPLATES[name as TemplateName] : {};
