// Addresses and host names that are not the internet. Network policy keeps instances from the private networks. The image policy
// refuses a registry that is written as one of these, and reads no further than that text: a public name that resolves to an inner
// address passes it, and so does a public registry that redirects there. Only the node's own network can stop those.

/** Private, carrier-grade and link-local networks. */
export const PRIVATE_V4 = ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', '169.254.0.0/16'];
export const PRIVATE_V6 = ['fc00::/7', 'fe80::/10'];

/** No image is named by one of these: the private networks, this host, loopback, benchmarks, multicast and reserved addresses. */
export const NO_REGISTRY_V4 = [
  ...PRIVATE_V4,
  '0.0.0.0/8',
  '127.0.0.0/8',
  '192.0.0.0/24',
  '198.18.0.0/15',
  '224.0.0.0/3',
];

/** Top-level names that public DNS does not have. The host is matched without its port; dots at its end change nothing. */
const INNER_DOMAINS = 'localhost|local|localdomain|internal|svc|lan|intranet|corp|home|private|home\\.arpa';
const NUMBER = '0x[0-9a-f]*|[0-9]+';
/**
 * Matches a host, in lower case, that only an inner resolver knows, or that is an address in an unusual spelling, such as
 * 0x7f000001, 2130706433, 127.1 or 010.0.0.1: no name of the internet ends in a number. Suits JavaScript and RE2.
 */
export const NOT_PUBLIC = `^[^.]*\\.*$|\\.(${INNER_DOMAINS}|${NUMBER})\\.*$`;
