// Systems besides the cluster that the gateway depends on: its databases and its mail server.
import { type Check, found, wordsOf } from '../check.ts';

const SECOND = 1000;
/** Every change waits for a commit or two. */
const FINE_MS = 20;
const SLOW_MS = 100;

export const databaseDurable: Check = {
  id: 'databaseDurable',
  limitMs: 20 * SECOND,
  async look({ database }) {
    if (!database) return [found('notGiven', { option: '--database-url' })];
    const { kind, version, fsync, fullPageWrites, synchronousCommit } = await database();
    if (kind === 'pglite') return [found('databaseEmbedded', { version: `PGlite, ${version}` })];
    const shown = `PostgreSQL ${version}`;
    const names = Object.entries({ fsync, full_page_writes: fullPageWrites })
      .filter(([, value]) => value !== 'on')
      .map(([name]) => name);
    if (names.length > 0) return [found('databaseUnsynced', { version: shown, names: names.join(', ') })];
    if (['off', 'false'].includes(synchronousCommit))
      return [found('commitsUnawaited', { version: shown, value: synchronousCommit })];
    return [found('databaseSafe', { version: shown })];
  },
};

export const databaseSpeed: Check = {
  id: 'databaseSpeed',
  limitMs: 30 * SECOND,
  async look({ database }) {
    if (!database) return [found('notGiven', { option: '--database-url' })];
    const times = (await database()).commitMs.toSorted((a, b) => a - b);
    const median = times[Math.floor(times.length / 2)] ?? 0;
    const args = { median: median.toFixed(1), longest: (times.at(-1) ?? 0).toFixed(1), fine: `${FINE_MS}` };
    if (median > SLOW_MS) return [found('commitsTooSlow', args)];
    return [found(median > FINE_MS ? 'commitsSlow' : 'commitsFast', args)];
  },
};

export const vectors: Check = {
  id: 'vectors',
  limitMs: 20 * SECOND,
  async look({ vectors: openVectors }) {
    if (!openVectors) return [found('notGiven', { option: '--vectors-url' })];
    try {
      return [found('vectorsReached', { version: await openVectors() })];
    } catch (error) {
      return [found('vectorsUnreached', { why: wordsOf(error) })];
    }
  },
};

export const mail: Check = {
  id: 'mail',
  limitMs: 30 * SECOND,
  async look({ mail: server, isInstalled }) {
    if (!server) return [isInstalled ? found('mailOff') : found('notGiven', { option: '--smtp-url' })];
    try {
      await server.answers();
      return [found('mailReached', { server: server.server })];
    } catch (error) {
      return [found('mailUnreached', { server: server.server, why: wordsOf(error) })];
    }
  },
};
