// The mail sink of a cluster, until it is ended: port and folder are its arguments.
import { openMailSink } from './mail-sink.ts';

const [port, folder] = process.argv.slice(2);
if (!port || !folder) throw new Error('usage: mail-sink-process.ts PORT FOLDER');
await openMailSink({ port: Number(port), folder });
