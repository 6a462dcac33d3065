// The whole gateway on an in-memory API server, for another process: prints its address, and a token with all rights, as the
// first line on standard output. Later lines are our failures.
import { openLog } from '@gantry/kube/log.ts';
import { eq } from 'drizzle-orm';
import { openDatabase } from '../../api/src/platform/db/open.ts';
import { accounts, organizations, sessions } from '../../api/src/platform/db/schema/people.ts';
import { startMemoryGateway } from '../support/memory-gateway.ts';

const log = openLog('error');
const gateway = await startMemoryGateway({ db: await openDatabase({ memory: true }), log });
// Some calls rightly end the session or delete its organisation; the others should be tried anyway.
const reviving = setInterval(
  () => void revive().catch((error) => log.error({ err: error }, 'the session was not revived')),
  200,
);
process.stdout.write(`${JSON.stringify({ url: gateway.url, token: gateway.tokens.administrator })}\n`);
process.once('SIGTERM', () => {
  clearInterval(reviving);
  void gateway.stop().then(() => process.exit(0));
});

async function revive(): Promise<void> {
  const { sql } = gateway.db;
  const expiresAt = new Date(Date.now() + 3_600_000);
  await sql.update(sessions).set({ expiresAt, lastUsedAt: new Date() }).where(eq(sessions.id, 'ses-administrator'));
  await sql.update(accounts).set({ disabledAt: null }).where(eq(accounts.id, 'acc-administrator'));
  await sql.update(organizations).set({ deletedAt: null }).where(eq(organizations.id, 'acmeorgs'));
}
