// The address a request comes from: the peer's, or what proxies that are believed say.
import type { IncomingMessage } from 'node:http';

/** `trusts` answers for an address and its distance from us, as Express compiles it from the list of proxies. */
export type Trusts = (address: string, distance: number) => boolean;

export function addressOf(req: Pick<IncomingMessage, 'socket' | 'headers'>, trusts: Trusts): string {
  let address = plain(req.socket.remoteAddress ?? '');
  const said = req.headers['x-forwarded-for'];
  if (said === undefined) return address;
  const chain = `${said}`.split(',').map((part) => part.trim());
  // The nearest address is last. The first one that no trusted proxy vouches for is the caller's.
  for (let distance = 0; chain.length > 0 && trusts(address, distance); distance++) address = plain(chain.pop() ?? '');
  return address;
}

/** An IPv4 address as a socket for both families tells it. */
const plain = (address: string): string => (address.startsWith('::ffff:') ? address.slice('::ffff:'.length) : address);
