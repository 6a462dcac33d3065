// The tab of an object's measurements: its metrics over time, and how much of what it has it uses.
import type { ComponentProps } from 'react';
import { ObjectUsage } from '../usage/object-usage.tsx';
import { ObjectMetrics } from './object-metrics.tsx';

interface Measured extends Pick<ComponentProps<typeof ObjectUsage>, 'kind' | 'isNodes'> {
  type: NonNullable<ComponentProps<typeof ObjectMetrics>['type']>;
}

export const metricsTab =
  ({ type, ...usage }: Measured) =>
  ({ id }: { id: string }) => (
    <>
      <ObjectMetrics type={type} id={id} />
      <ObjectUsage {...usage} id={id} />
    </>
  );
