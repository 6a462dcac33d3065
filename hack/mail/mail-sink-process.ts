// The mail sink of a cluster, until it is ended: port, folder and address are its arguments.
import { openMailSink } from './mail-sink.ts';

const [port, folder, host] = process.argv.slice(2);
if (!port || !folder) throw new Error('usage: mail-sink-process.ts PORT FOLDER [ADDRESS]');
await openMailSink({ port: Number(port), folder, ...(host && { host }) });
