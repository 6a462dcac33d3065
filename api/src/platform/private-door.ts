// Commands of this machine to a gateway that has the embedded database, which no second process may open: a socket beside the
// folder that its owner alone may use.
import { rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { resolve } from 'node:path';
import { BadConfig } from '@gantry/kube/options.ts';

export type Answers = Readonly<Record<string, (res: ServerResponse) => Promise<unknown>>>;

/** Linux has room for no longer path of a socket. */
const MOST_BYTES = 107;

/** Throws BadConfig. */
function socketOf(folder: string): string {
  const path = `${resolve(folder)}.sock`;
  const bytes = Buffer.byteLength(path);
  if (bytes <= MOST_BYTES) return path;
  throw new BadConfig(`--data-dir: "${path}" has ${bytes} bytes, and a socket's path at most ${MOST_BYTES}`);
}

/** `answers` by name. The folder's owner owns the socket, so one left by a dead gateway is removed. */
export async function openPrivateDoor(folder: string, answers: Answers): Promise<() => Promise<void>> {
  const server = createServer((req, res) => {
    const answer = answers[req.url?.slice(1) ?? ''];
    if (!answer) return void res.writeHead(404).end();
    answer(res).catch((error: Error) => {
      if (res.headersSent) res.destroy(error);
      else res.writeHead(500).end(error.message);
    });
  });
  const path = socketOf(folder);
  await rm(path, { force: true });
  const umask = process.umask(0o177);
  try {
    await new Promise<void>((up, failed) => server.once('error', failed).listen(path, up));
  } finally {
    process.umask(umask);
  }
  return () =>
    new Promise((closed) => {
      server.close(() => closed());
      server.closeIdleConnections();
    });
}

/** Resolves with the running gateway's answer, or with undefined where none runs. Rejects with its sentence. */
export function askGateway(folder: string, name: string): Promise<IncomingMessage | undefined> {
  return new Promise((answered, failed) => {
    const asked = request({ socketPath: socketOf(folder), path: `/${name}`, agent: false }, async (answer) => {
      if (answer.statusCode === 200) answered(answer);
      else failed(new Error((await answer.setEncoding('utf8').toArray()).join('')));
    });
    asked.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' || error.code === 'ECONNREFUSED') answered(undefined);
      else failed(error);
    });
    asked.end();
  });
}
