// Backups by schedule, and the list of them.
import type { KubeClient } from '@gantry/kube/client.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import type { Logger } from 'pino';
import type { Config } from '../../platform/config.ts';
import type { Database } from '../../platform/db/open.ts';
import { BackupRuns } from './backup-runs.ts';
import { backupParts, openVault } from './open-vault.ts';

export interface OpenBackups {
  /** The bucket's name; '' without one. */
  where: string;
  runs: BackupRuns;
  stop(): Promise<void>;
}

/** Throws BadConfig. */
export function openBackups(
  config: Config,
  { db, clock, log, client }: { db: Database; clock: Clock; log: Logger; client: Pick<KubeClient, 'as'> },
): OpenBackups {
  const opened = openVault(config);
  const runs = new BackupRuns({
    ...{ db, clock, log, vault: opened?.vault, what: () => backupParts(config, db, client) },
    ...{ schedule: config.backupSchedule, keepDays: config.backupKeepDays },
  });
  runs.start();
  return {
    where: config.backupBucket,
    runs,
    async stop() {
      await runs.stop();
      opened?.close();
    },
  };
}
