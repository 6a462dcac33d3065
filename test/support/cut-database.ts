// A way to PostgreSQL that breaks at the n-th thing that is said to it: every connection at once, as when the server dies, before it has
// heard it or before its answer is heard.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface DatabaseCut {
  readonly at: number;
  readonly when: 'before' | 'after';
  /** Is waited for before anybody is let in again. */
  readonly also?: (() => Promise<void>) | undefined;
}

export interface CutDatabase {
  readonly url: string;
  /** Packets towards the database since the last cut was set: about as many as statements. */
  readonly packets: number;
  cut(next: DatabaseCut | undefined): void;
  close(): Promise<void>;
}

export async function cutDatabase(target: string): Promise<CutDatabase> {
  const url = new URL(target);
  const to = { port: Number(url.port), host: url.hostname };
  const sockets = new Set<Socket>();
  let next: DatabaseCut | undefined;
  let packets = 0;
  let closed: Promise<void> | undefined;

  const breakAll = () => {
    for (const socket of sockets) socket.destroy();
    closed = next?.also?.().finally(() => {
      closed = undefined;
    });
  };
  const server = createServer(async (client) => {
    sockets.add(client);
    client.on('error', () => undefined).once('close', () => sockets.delete(client));
    await closed;
    if (client.destroyed) return;
    const upstream = connect(to);
    sockets.add(upstream);
    upstream.on('error', () => undefined).once('close', () => sockets.delete(upstream));
    client.once('close', () => upstream.destroy());
    upstream.once('close', () => client.destroy());
    client.on('data', (chunk) => {
      packets += 1;
      const isNow = next?.at === packets;
      if (isNow && next?.when === 'before') return breakAll();
      upstream.write(chunk);
      // What was said is done; its answer is lost with the connection.
      if (isNow) upstream.once('data', breakAll);
    });
    upstream.on('data', (chunk) => client.write(chunk));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url.port = `${(server.address() as AddressInfo).port}`;
  return {
    url: url.href,
    get packets() {
      return packets;
    },
    cut(wanted) {
      next = wanted;
      packets = 0;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
