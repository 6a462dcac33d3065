// An object's name, leading to its metrics.
import type { MonitorType } from '@gantry/contract/monitor/metrics.ts';
import Link from '@mui/material/Link';
import { Link as RouterLink } from 'react-router';

const LISTS: Readonly<Record<MonitorType, string>> = {
  instance: '/develop/instance',
  job: '/deploy/job',
  service: '/deploy/service',
  deployment: '/model/deployment',
  host: '/gpu/nodes',
};

/** The page of an object; `tab` is one of its tabs. */
export const objectPage = (type: MonitorType, id: string, tab: string): string =>
  `${LISTS[type]}/${encodeURIComponent(id)}/${tab}`;

export const ObjectLink = ({ type, id, name }: { type: MonitorType; id: string; name: string }) => (
  <Link component={RouterLink} to={objectPage(type, id, 'metrics')}>
    {name}
  </Link>
);
