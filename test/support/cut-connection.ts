// A connection that breaks off whenever so many bytes have gone up, as a phone's does.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface CutConnection {
  readonly url: string;
  /** How often it has broken off. */
  readonly cuts: number;
  close(): Promise<void>;
}

/** `marks`: bytes on their way up since the start, in order. */
export async function cutConnection(port: number, marks: readonly number[]): Promise<CutConnection> {
  const sockets = new Set<Socket>();
  let [sent, cuts] = [0, 0];
  const server = createServer((client) => {
    const upstream = connect(port, '127.0.0.1');
    client.on('data', (chunk) => {
      sent += chunk.length;
      if (sent > (marks[cuts] ?? Number.POSITIVE_INFINITY)) {
        cuts += 1;
        client.destroy();
        upstream.destroy();
      } else if (!upstream.write(chunk)) client.pause();
    });
    upstream.on('drain', () => client.resume());
    upstream.pipe(client);
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(one);
      one.once('error', () => other.destroy()).once('close', () => other.destroySoon());
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get cuts() {
      return cuts;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
