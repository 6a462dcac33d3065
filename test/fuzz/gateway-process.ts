// The whole gateway on an API server in memory, for whoever is not in this process: says its address, and a token that may do
// all, as the first line on standard output. What follows are failures of ours.
import { openLog } from '@gantry/kube/log.ts';
import { eq } from 'drizzle-orm';
import { openDatabase } from '../../api/src/db/open.ts';
import { accounts, organizations, sessions } from '../../api/src/db/schema/people.ts';
import { startMemoryGateway } from '../support/memory-gateway.ts';

const log = openLog('error');
const gateway = await startMemoryGateway({ db: await openDatabase({ memory: true }), log });
// Some calls rightly end the session or close what it belongs to; the others want to be tried all the same.
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
