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
  /** Those that have come to an address and match, the newest first. */
  all(to: string, matching?: RegExp): Promise<Email[]>;
  close(): Promise<void>;
}

export async function openMailbox(): Promise<Mailbox> {
  const folder = await mkdtemp(join(tmpdir(), 'gantry-mail-'));
  const sink = await openMailSink({ port: 0, folder });
  return {
    url: `smtp://127.0.0.1:${sink.port}`,
    newest: (to, matching) => newestMail(folder, to, matching),
    all: (to, matching) => mailsTo(folder, to, matching),
    close: async () => {
      await sink.close();
      await rm(folder, { recursive: true });
    },
  };
}

/** From a sink's folder. */
export const newestMail = (folder: string, to: string, matching?: RegExp): Promise<Email> =>
  eventually(`a mail to ${to}`, async () => (await mailsTo(folder, to, matching))[0]);

async function mailsTo(folder: string, to: string, matching = /(?:)/): Promise<Email[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.eml')).sort();
  const mails = await Promise.all(
    files.reverse().map(async (file) => PostalMime.parse(await readFile(join(folder, file)))),
  );
  return mails.filter(
    (mail) => mail.to?.some(({ address }) => address === to) && matching.test(`${mail.subject}\n${mail.text}`),
  );
}
