// A relay that passes requests and answers on as they are, and nothing else: what S1 compares with at best. Argument: the address that it
// relays to. Writes its own, as JSON.
import { Agent, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

const to = new URL(process.argv[2] ?? '');
const agent = new Agent({ keepAlive: true });
const server = createServer((asked, answer) => {
  const { method, url: path, headers } = asked;
  const passedOn = request({ agent, host: to.hostname, port: to.port, method, path, headers }, (said) => {
    answer.writeHead(said.statusCode ?? 502, said.headers);
    said.pipe(answer);
  });
  passedOn.once('error', () => answer.destroy());
  asked.pipe(passedOn);
});
server.listen(0, '127.0.0.1', () =>
  console.log(JSON.stringify({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })),
);
