// The address of an instance's web content: a separate host for every port, so that no two share an origin. Without a domain for
// tenants it is a path on the listener's own address, only for trying it out: there all share one origin.
import { hash } from 'node:crypto';

export interface Content {
  organization: string;
  /** The name of an instance; `<job>.<rank>` for a job's worker. */
  instance: string;
  port: number;
}

const LABEL_MOST = 63;

/** One DNS label, unique and stable for this content. */
export function labelOf({ organization, instance, port }: Content): string {
  const label = `${port}-${instance}-${organization}`;
  // With a hyphen in the organisation's name two could read alike; a hash has only one, so it is never one of these.
  if (label.length <= LABEL_MOST && !organization.includes('-') && !instance.includes('.')) return label;
  return `${port}-${hash('sha256', `${organization}/${instance}`, 'hex').slice(0, 32)}`;
}

export const prefixOf = ({ organization, instance, port }: Content): string => `/t/${organization}/${instance}/${port}`;

/** The prefix of a path, if it has one. */
export function prefixIn(path: string): string | undefined {
  return /^\/t\/[a-z0-9-]{1,63}\/[a-z0-9-]{1,63}(\.\d{1,2})?\/\d{1,5}(?=[/?]|$)/.exec(path)?.[0];
}
