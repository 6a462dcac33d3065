// The host of a published service. Gateway and operator form it here, so that the address in a status is the one that answers.

/**
 * `<name>.<organization>.<domain>`. Both names are whole DNS labels by the rules of their kinds, and the dot between them keeps
 * services of different organisations apart; content of instances has one label less (`api/src/areas/instances/web/place.ts`).
 */
export const publishedHost = (name: string, organization: string, domain: string): string =>
  `${name}.${organization}.${domain}`.toLowerCase();

/** The name and organisation of the service that a host belongs to; undefined for every other host. The port is cut off before. */
export function serviceAt(host: string, domain: string): { name: string; organization: string } | undefined {
  const end = `.${domain.toLowerCase()}`;
  const lower = host.toLowerCase();
  if (domain === '' || !lower.endsWith(end)) return undefined;
  const [name = '', organization = '', ...more] = lower.slice(0, -end.length).split('.');
  return more.length === 0 && SERVICE.test(name) && ORGANIZATION.test(organization)
    ? { name, organization }
    : undefined;
}

/** As the rules of ContainerService and Organization have them. */
const SERVICE = /^(?=.{1,40}$)[a-z]([-a-z0-9]*[a-z0-9])?$/;
const ORGANIZATION = /^(?=.{1,50}$)[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
