// Mails over SMTP. The server is the operator's own choice, inner addresses included.
import { createTransport } from 'nodemailer';
import type { Sender } from './mail-queue.ts';

const LIMITS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 };

/** `url` as nodemailer takes it: `smtps://user:password@host:465`. */
export function mailSender(url: string, from: string): Sender & { close: () => void } {
  const transport = createTransport({ url, pool: true, maxConnections: 3, ...LIMITS });
  const domain = from.split('@')[1]?.replace(/[^a-zA-Z0-9.-]/g, '') || 'gantry';
  const send: Sender = async ({ id, address, subject, text, unsubscribe }) => {
    // As an object, an address is never read as a list of them.
    await transport.sendMail({
      from,
      to: { name: '', address },
      subject,
      text,
      messageId: `<${id}@${domain}>`,
      headers: {
        'Auto-Submitted': 'auto-generated',
        ...(unsubscribe !== undefined && {
          'List-Unsubscribe': `<${unsubscribe}>`,
          'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
        }),
      },
    });
  };
  return Object.assign(send, { close: () => transport.close() });
}

/** Whether the server greets us and takes our login; nothing is sent. Rejects with why not. */
export async function tryMailServer(url: string): Promise<void> {
  const transport = createTransport({ url, ...LIMITS });
  try {
    await transport.verify();
  } finally {
    transport.close();
  }
}
