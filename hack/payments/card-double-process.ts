// The card provider's double of a cluster, until it is ended: port, folder, the gateway's address and its own are its arguments.
import { mkdirSync } from 'node:fs';
import { CardDouble } from './card-double.ts';
import { readDoubleKeys } from './double-keys.ts';

const [port, folder, gateway, address] = process.argv.slice(2);
if (!port || !folder || !gateway || !address)
  throw new Error('usage: card-double-process.ts PORT FOLDER GATEWAY ADDRESS');
mkdirSync(folder, { recursive: true, mode: 0o700 });
const double = new CardDouble({
  port: Number(port),
  address,
  ...(await readDoubleKeys(folder)),
  webhookUrl: `${gateway}/paybill/v1/webhook/card`,
  file: `${folder}/state.json`,
});
await double.listen();
