// Keys of a cluster's own double, made once: a gateway with them talks to nobody else.
import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';

export interface DoubleKeys {
  secretKey: string;
  publishableKey: string;
  webhookSecret: string;
}

export const keyFile = (folder: string): string => `${folder}/key`;
export const webhookSecretFile = (folder: string): string => `${folder}/webhook-secret`;
/** Nobody's secret: pages have it. */
export const PUBLISHABLE_KEY = 'pk_test_double';

export const readDoubleKeys = async (folder: string): Promise<DoubleKeys> => ({
  secretKey: (await readFile(keyFile(folder), 'utf8')).trim(),
  publishableKey: PUBLISHABLE_KEY,
  webhookSecret: (await readFile(webhookSecretFile(folder), 'utf8')).trim(),
});

export async function makeDoubleKeys(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const files = { [keyFile(folder)]: 'sk_test_double_', [webhookSecretFile(folder)]: 'whsec_double_' };
  for (const [file, prefix] of Object.entries(files))
    await writeFile(file, `${prefix}${randomBytes(16).toString('hex')}\n`, { mode: 0o600, flag: 'wx' }).catch(
      (error) => {
        if (error.code !== 'EEXIST') throw error;
      },
    );
}
