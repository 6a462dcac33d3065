// How a task is run, as the forms of all kinds that run to an end hold it.
import { numberOrNull } from '../workload/workload-values.ts';

export const PRIORITIES = ['Low', 'Normal', 'High'] as const;

export interface RunSettings {
  priority: (typeof PRIORITIES)[number];
  retries: number | undefined;
  /** Undefined: no limit. */
  maxRunMinutes: number | undefined;
}

export const runSettingsBody = ({ priority, retries, maxRunMinutes }: RunSettings) => ({
  priority,
  retries: numberOrNull(retries),
  ...(maxRunMinutes !== undefined && { maxRunMinutes }),
});

/** `empty` has what a new one begins with. */
export const runSettingsOf = (
  spec: { [Name in keyof RunSettings]?: RunSettings[Name] | undefined },
  empty: RunSettings,
): RunSettings => ({
  priority: spec.priority ?? empty.priority,
  retries: spec.retries ?? empty.retries,
  maxRunMinutes: spec.maxRunMinutes,
});
