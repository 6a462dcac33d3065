// Networks, such as those of @gantry/contract/inner-addresses.ts, as Node compares addresses with them.
import { BlockList, isIPv6 } from 'node:net';

/** A block list of networks such as 10.0.0.0/8 or fc00::/7. An IPv4-mapped IPv6 address is found among those of IPv4. */
export function addressList(cidrs: readonly string[]): BlockList {
  const list = new BlockList();
  for (const cidr of cidrs) {
    const [network = '', bits] = cidr.split('/');
    list.addSubnet(network, Number(bits), isIPv6(network) ? 'ipv6' : 'ipv4');
  }
  return list;
}
