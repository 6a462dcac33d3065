// Where services are published: below a domain of their own, or below that of tenants' web content.
import type { Config } from '../../platform/config.ts';
import { tenantPlace } from '../../platform/relay/tenant-place.ts';

/** Undefined without a domain. Throws BadConfig. */
export function servicePlace(
  { serviceDomain, tenantDomain, tenantHost, tenantPort }: Config,
  origins: readonly string[],
): ReturnType<typeof tenantPlace> {
  const domain = serviceDomain || tenantDomain;
  return tenantPlace({ origins, tenants: { domain, hasPaths: false, host: tenantHost, port: tenantPort } });
}
