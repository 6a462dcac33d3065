// The host of a published service. Gateway and operator form it here, so that the address in a status is the one that answers.

/**
 * `<name>.<organization>.<domain>`. Both names are whole DNS labels by the rules of their kinds, and the dot between them keeps
 * services of different organisations apart; content of instances has one label less (`api/src/areas/instances/web/place.ts`).
 */
export const publishedHost = (name: string, organization: string, domain: string): string =>
  `${name}.${organization}.${domain}`.toLowerCase();
