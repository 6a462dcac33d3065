// A test's own real SMTP server, and the mails it received.
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import PostalMime, { type Email } from 'postal-mime';
import { openMailSink } from '../../hack/mail/mail-sink.ts';
import { eventually } from './eventually.ts';

export interface Mailbox {
  /** For --smtp-url. */
  readonly url: string;
  /** The newest mail to an address that matches; waits for it. */
  newest(to: string, matching?: RegExp): Promise<Email>;
  close(): Promise<void>;
}

export async function openMailbox(): Promise<Mailbox> {
  const folder = await mkdtemp(join(tmpdir(), 'gantry-mail-'));
  const sink = await openMailSink({ port: 0, folder });
  return {
    url: `smtp://127.0.0.1:${sink.port}`,
    newest: (to, matching) => newestMail(folder, to, matching),
    close: async () => {
      await sink.close();
      await rm(folder, { recursive: true });
    },
  };
}

/** From a sink's folder. */
export function newestMail(folder: string, to: string, matching = /(?:)/): Promise<Email> {
  return eventually(`a mail to ${to}`, async () => {
    const files = (await readdir(folder)).filter((file) => file.endsWith('.eml')).sort();
    for (const file of files.reverse()) {
      const mail = await PostalMime.parse(await readFile(join(folder, file)));
      const isTo = mail.to?.some(({ address }) => address === to);
      if (isTo && matching.test(`${mail.subject}\n${mail.text}`)) return mail;
    }
    return undefined;
  });
}
