// What is not the internet: an instance does not reach it, and no node fetches an image from it on a tenant's behalf.

/** Private, carrier-grade and link-local networks. */
export const PRIVATE_V4 = ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', '169.254.0.0/16'];
export const PRIVATE_V6 = ['fc00::/7', 'fe80::/10'];

/** Where a node itself would not go out either: this host, loopback, benchmarks, multicast and what is reserved. */
export const NO_REGISTRY_V4 = [
  ...PRIVATE_V4,
  '0.0.0.0/8',
  '127.0.0.0/8',
  '192.0.0.0/24',
  '198.18.0.0/15',
  '224.0.0.0/3',
];

/** No port belongs to the host, and dots at its end change nothing. */
const INNER_DOMAINS = 'localhost|local|localdomain|internal|svc|lan|intranet|corp|home|private|home\\.arpa';
const NUMBER = '0x[0-9a-f]*|[0-9]+';
/**
 * A host, in lower case, that only an inner resolver knows, or that is an address in another spelling than the usual one, such as
 * 0x7f000001, 2130706433, 127.1 and 010.0.0.1: no name of the internet ends in a number. Suits JavaScript and RE2.
 */
export const NOT_PUBLIC = `^[^.]*\\.*$|\\.(${INNER_DOMAINS}|${NUMBER})\\.*$`;
