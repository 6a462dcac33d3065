// A mail server that sends nothing on: every mail it takes becomes a file. What a person of this cluster is sent, codes
// included, is read there.
import { mkdirSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';

export interface MailSink {
  readonly port: number;
  close(): Promise<void>;
}

/** On loopback unless told otherwise; port 0 takes any that is free. Mails are `<when>-<number>.eml` in `folder`, in the order in which they came. */
export async function openMailSink({
  port,
  folder,
  host = '127.0.0.1',
}: {
  port: number;
  folder: string;
  host?: string;
}): Promise<MailSink> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  let count = 0;
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    // Nobody is asked who the other side is.
    disableReverseLookup: true,
    onData(stream, _session, done) {
      count += 1;
      const file = join(folder, `${Date.now()}-${String(count).padStart(4, '0')}.eml`);
      buffer(stream)
        // Whole or not at all: somebody may be looking for it.
        .then((mail) => writeFile(`${file}.new`, mail, { mode: 0o600 }))
        .then(() => rename(`${file}.new`, file))
        .then(() => done(), done);
    },
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  // A client that goes away in the middle is no matter of the sink's.
  server.on('error', () => {});
  return {
    port: (server.server.address() as AddressInfo).port,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}
