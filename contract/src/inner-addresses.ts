// Addresses and host names that are not the internet: one table for all that judge addresses, in Go too (contract/gen/inner-go.ts).
// Network policy keeps instances from these networks. The image policy refuses a registry that is written as one of these, and reads
// no further than that text: a public name that resolves to an inner address passes it, and so does a public registry that redirects
// there. Only the node's own network can stop those.

/** Networks that clusters number their nodes, Pods and services from. */
const CLUSTERS = {
  v4: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', '198.18.0.0/15'],
  v6: ['fc00::/7'],
};

/** NAT64: the last 32 bits are an address of IPv4. It is how Pods of a cluster without IPv4 reach the internet of IPv4. */
const NAT64 = '64:ff9b::/96';

/**
 * No Pod has one of these: this host, loopback, link-local, protocol assignments (where a cloud keeps metadata, too), multicast and
 * reserved addresses. Those of IPv6 that carry one of IPv4: compatible, translated (SIIT), NAT64, Teredo and 6to4. Mapped ones,
 * ::ffff:0:0/96, are not here: they are IPv4, and judges take them for that.
 */
export const NO_POD = {
  v4: ['0.0.0.0/8', '127.0.0.0/8', '169.254.0.0/16', '192.0.0.0/24', '224.0.0.0/3'],
  v6: [
    '::/96',
    '::ffff:0:0:0/96',
    NAT64,
    '64:ff9b:1::/48',
    '2001::/32',
    '2002::/16',
    'fe80::/10',
    'fec0::/10',
    'ff00::/8',
  ],
};

/** Nothing of ours calls any of these for a tenant, and no image is named by one. */
export const INNER = { v4: [...CLUSTERS.v4, ...NO_POD.v4], v6: [...CLUSTERS.v6, ...NO_POD.v6] };

/** A network of IPv4 as NAT64 reaches it: 10.0.0.0/8 is 64:ff9b::a00:0/104. */
function throughNat64(cidr: string): string {
  const [network, bits] = cidr.split('/');
  const address = new URL(`http://[64:ff9b::${network}]`).hostname.slice(1, -1);
  return `${address}/${96 + Number(bits)}`;
}

/** The networks that tenants' Pods cannot reach: those above and the cluster's own. NAT64 leads to no more of IPv4 than IPv4 itself. */
export function closedToTenants(clusterCidrs: readonly string[]): { v4: string[]; v6: string[] } {
  const v4 = [...INNER.v4, ...clusterCidrs.filter((cidr) => !cidr.includes(':'))];
  const v6 = [...INNER.v6.filter((cidr) => cidr !== NAT64), ...clusterCidrs.filter((cidr) => cidr.includes(':'))];
  return { v4, v6: [...v6, ...v4.map(throughNat64)] };
}

/** Top-level names that public DNS does not have. The host is matched without its port; dots at its end change nothing. */
const INNER_DOMAINS = 'localhost|local|localdomain|internal|svc|lan|intranet|corp|home|private|home\\.arpa';
const NUMBER = '0x[0-9a-f]*|[0-9]+';
/**
 * Matches a host, in lower case, that only an inner resolver knows, or that is an address in an unusual spelling, such as
 * 0x7f000001, 2130706433, 127.1 or 010.0.0.1: no name of the internet ends in a number. Suits JavaScript and RE2.
 */
export const NOT_PUBLIC = `^[^.]*\\.*$|\\.(${INNER_DOMAINS}|${NUMBER})\\.*$`;
