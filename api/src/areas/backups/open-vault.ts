// The bucket for backups and the key they are sealed with, as the configuration names them.
import { readFileSync } from 'node:fs';
import { BACKUP_ACCOUNT, PLATFORM_NAMESPACE } from '@gantry/contract/names.ts';
import type { KubeClient } from '@gantry/kube/client.ts';
import { BadConfig } from '@gantry/kube/options.ts';
import { type Config, readText } from '../../platform/config.ts';
import type { Database } from '../../platform/db/open.ts';
import { readKeyPair } from '../../platform/read-key-pair.ts';
import { version } from '../../platform/version.ts';
import type { BackupParts } from './backup.ts';
import { secretsIn } from './sealed.ts';
import { Bucket } from './store.ts';
import { Vault } from './vault.ts';

export type BackupConfig = Pick<
  Config,
  | 'backupBucket'
  | 'backupEndpoint'
  | 'backupRegion'
  | 'backupPrefix'
  | 'backupCredentialsFile'
  | 'backupKeyFile'
  | 'platformKeyFile'
>;

/** Throws BadConfig, with a sentence that quotes nothing of the file. */
export function backupSecrets({ backupKeyFile }: BackupConfig): readonly string[] {
  if (backupKeyFile === '')
    throw new BadConfig('--backup-key-file: must name the file of the key that backups are sealed with');
  try {
    return secretsIn(readText(backupKeyFile));
  } catch (error) {
    if (error instanceof BadConfig) throw new BadConfig(`--backup-key-file: ${error.message}`);
    throw new BadConfig(`--backup-key-file: "${backupKeyFile}" ${(error as Error).message}`);
  }
}

/** Undefined without a bucket. Throws BadConfig. */
export function openVault(config: BackupConfig): { vault: Vault; close(): void } | undefined {
  if (config.backupBucket === '') return undefined;
  const keys = readKeyPair('--backup-credentials-file', config.backupCredentialsFile);
  const bucket = new Bucket({
    endpoint: config.backupEndpoint,
    region: config.backupRegion,
    bucket: config.backupBucket,
    prefix: config.backupPrefix,
    ...(keys && { credentials: { accessKeyId: keys.accessKey, secretAccessKey: keys.secretKey } }),
  });
  const vault = new Vault({ bucket, secrets: backupSecrets(config), now: Date.now });
  return { vault, close: () => bucket.close() };
}

/** Nobody runs as it: whoever makes a backup acts as it, because it alone may read Secrets. */
const BACKUP_USER = `system:serviceaccount:${PLATFORM_NAMESPACE}:${BACKUP_ACCOUNT}`;

export const backupParts = (
  { platformKeyFile }: BackupConfig,
  db: Database,
  client: Pick<KubeClient, 'as'>,
): BackupParts => ({
  db,
  cluster: client.as(BACKUP_USER),
  version,
  platformKey: platformKeyFile === '' ? Buffer.alloc(0) : readFileSync(platformKeyFile),
});
