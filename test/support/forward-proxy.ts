// A forward proxy of a test's own: notes where it is asked to go, and leads names to ports of this machine.
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { pipeline } from 'node:stream';

export interface ForwardProxy {
  url: string;
  /** `CONNECT hub.example:80`, `GET http://hub.example/path`. */
  asked: string[];
  end(): Promise<void>;
}

/** `places` has a port for each host:port; elsewhere it leads nowhere. */
export async function startForwardProxy(places: Readonly<Record<string, number>>): Promise<ForwardProxy> {
  const asked: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((req, res) => {
    asked.push(`${req.method} ${req.url}`);
    const { host, pathname, search } = new URL(req.url ?? '');
    const port = places[host.includes(':') ? host : `${host}:80`];
    if (port === undefined) return res.writeHead(502).end();
    const { method, headers } = req;
    const onward = request(
      { agent: false, host: '127.0.0.1', port, method, path: pathname + search, headers },
      (answer) => {
        res.writeHead(answer.statusCode ?? 502, answer.headers);
        // An answer that breaks off breaks off for its reader too.
        pipeline(answer, res, () => undefined);
      },
    );
    onward.on('error', () => res.destroy());
    req.pipe(onward);
  });
  server.on('connect', (req, socket: Socket) => {
    asked.push(`CONNECT ${req.url}`);
    const port = places[req.url ?? ''];
    if (port === undefined) return socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
    const onward = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      onward.pipe(socket).pipe(onward);
    });
    onward.on('error', () => socket.destroy());
    socket.on('error', () => onward.destroy());
  });
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    async end() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
