// The tab of an object's measurements: what it uses now, and its metrics over time.
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
      <ObjectUsage {...usage} id={id} />
      <ObjectMetrics type={type} id={id} />
    </>
  );
