// The audit log of a running gateway: entries in, seals upon them.
import { AuditLog, type AuditLogParts } from './audit-log.ts';
import type { AuditEntry } from './entry.ts';
import { Sealer } from './sealer.ts';

export interface Audit {
  /** Resolves once the entry is committed. */
  write(entry: AuditEntry): Promise<void>;
  /** Once nobody writes any more: what waits is written, and all is sealed. */
  stop(): Promise<void>;
}

export function openAudit(parts: AuditLogParts): Audit {
  const audit = new AuditLog(parts);
  const sealer = new Sealer(parts);
  sealer.start();
  return {
    write: (entry) => audit.write(entry),
    async stop() {
      await audit.stop();
      await sealer
        .stop()
        .catch((error: unknown) => parts.log.warn({ err: error }, 'the end of the audit log is not sealed yet'));
    },
  };
}
