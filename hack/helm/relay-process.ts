// Ports of this machine that lead into Services, so that addresses are the same whether the gateway is a process or a Pod.
// usage: relay-process.ts <port>=<host>:<port>…
import { connect, createServer } from 'node:net';

for (const way of process.argv.slice(2)) {
  const [port = '', host = '', target = ''] = way.split(/[=:]/);
  createServer((client) => {
    const server = connect(Number(target), host);
    client.pipe(server).pipe(client);
    // Whichever side breaks, the other one hears of it.
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const) {
      one.once('error', () => other.destroy());
      one.once('close', () => other.destroy());
    }
  }).listen(Number(port), '127.0.0.1');
}
