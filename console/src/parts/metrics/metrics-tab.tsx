// The tab of an object's measurements: what it uses now, and its metrics over time.
import type { ComponentProps } from 'react';
import { ObjectFigures } from '../figures/object-figures.tsx';
import { ObjectMetrics } from './object-metrics.tsx';

interface Measured extends Pick<ComponentProps<typeof ObjectFigures>, 'kind' | 'isNodes'> {
  type: NonNullable<ComponentProps<typeof ObjectMetrics>['type']>;
}

export const metricsTab =
  ({ type, ...figures }: Measured) =>
  ({ id }: { id: string }) => (
    <>
      <ObjectFigures {...figures} id={id} />
      <ObjectMetrics type={type} id={id} />
    </>
  );
