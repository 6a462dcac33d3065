// An object's name, leading to its metrics.
import { MONITOR_KINDS, type MonitorType } from '@gantry/contract/monitor/metrics.ts';
import Link from '@mui/material/Link';
import { Link as RouterLink } from 'react-router';
import { objectPath } from '../../parts/object-path.ts';

/** Its page of metrics. */
export const metricsPage = (type: MonitorType, id: string): string =>
  `${objectPath(`${MONITOR_KINDS[type]}/${id}`)}/metrics`;

export const ObjectLink = ({ type, id, name }: { type: MonitorType; id: string; name: string }) => (
  <Link component={RouterLink} to={metricsPage(type, id)}>
    {name}
  </Link>
);
