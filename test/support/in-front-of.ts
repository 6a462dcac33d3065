// One address for several gateways, as a Service is. Each connection goes to the one that is chosen for it.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

export interface Front {
  readonly port: number;
  close(): Promise<void>;
}

/** `chosen`: the port on loopback that the next connection goes to. */
export async function inFrontOf(chosen: () => number): Promise<Front> {
  const sockets = new Set<Socket>();
  const balancer: Server = createServer((client) => {
    const upstream = connect(chosen(), '127.0.0.1');
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.pipe(to);
      from.once('error', () => to.destroy()).once('close', () => to.destroySoon());
    }
  });
  balancer.listen(0, '127.0.0.1');
  await once(balancer, 'listening');
  return {
    port: (balancer.address() as AddressInfo).port,
    async close() {
      for (const socket of sockets) socket.destroy();
      balancer.close();
      await once(balancer, 'close');
    },
  };
}
