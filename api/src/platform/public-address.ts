// Whether an address that somebody wrote is of the internet, and connections to no other.
import { lookup as resolve } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { INNER, NOT_PUBLIC } from '@gantry/contract/inner-addresses.ts';
import { addressList } from './address-list.ts';
import { outwardAgents, proxyHosts } from './way-out.ts';

const NETWORKS = addressList([...INNER.v4, ...INNER.v6]);

/** Whether an address belongs to no public network. An IPv4-mapped IPv6 address counts as IPv4. */
const isInner = (ip: string): boolean => NETWORKS.check(ip, isIP(ip) === 6 ? 'ipv6' : 'ipv4');

const INNER_NAME = new RegExp(NOT_PUBLIC);

/** Whether the host of a URL is written as one inside; what its name resolves to is another question. */
export function isInnerHost(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '').toLowerCase();
  return isIP(host) === 0 ? INNER_NAME.test(host) : isInner(host);
}

export class InnerAddress extends Error {
  readonly code = 'EINNER';
}

/**
 * The connection goes to the address that was checked: a name that resolves to another one a moment later gains nothing. Proxies are
 * the installation's own choice.
 */
export const publicLookup: LookupFunction = (host, options, done) =>
  resolve(host, { ...options, all: true }, (error, found) => {
    if (error) return done(error, []);
    const inner = proxyHosts().includes(host) ? undefined : found.find(({ address }) => isInner(address));
    if (inner) return done(new InnerAddress(`${host} is inside`), []);
    return options.all ? done(null, found) : done(null, found[0]?.address ?? '', found[0]?.family);
  });

/**
 * A proxy resolves names itself. It is not asked for one that is written as one inside, or that has an address inside here; a name that
 * nobody here knows is the proxy's to judge, because behind most proxies no name of the internet is known.
 */
async function requirePublic(host: string): Promise<void> {
  const found = isInnerHost(host) ? undefined : await lookup(host, { all: true }).catch(() => []);
  if (!found || found.some(({ address }) => isInner(address))) throw new InnerAddress(`${host} is inside`);
}

/** Before each call, beside `publicLookup`: a literal address is not looked up. Rejects with InnerAddress. */
export async function demandPublic(host: string): Promise<void> {
  if (proxyHosts().length > 0) await requirePublic(host);
  else if (isIP(host) !== 0 && isInner(host)) throw new InnerAddress(`${host} is inside`);
}

/** For libraries that otherwise make agents of their own. */
export const publicAgents = () => outwardAgents({ lookup: publicLookup });
