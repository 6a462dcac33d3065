// Backups by schedule, and the list of them.
import type { Core } from '../../core/open.ts';
import type { Platform } from '../../platform/open.ts';
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
  { config, db, clock, log }: Pick<Platform, 'config' | 'db' | 'clock' | 'log'>,
  { cluster: { client } }: Pick<Core, 'cluster'>,
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
