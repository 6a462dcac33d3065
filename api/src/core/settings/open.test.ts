// The gateway warns its staff at start where nobody can reach them.
import { SteppedClock } from '@gantry/kube/testing/stepped-clock.ts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { migratedDatabase } from '../../../../test/support/database.ts';
import { readConfig } from '../../platform/config.ts';
import type { Database } from '../../platform/db/open.ts';
import { openOperation } from './open.ts';

let db: Database;
beforeAll(async () => {
  db = await migratedDatabase();
});
afterAll(() => db.close());

const UNREACHED = 'nobody can reach the operator';
const UNISSUED = 'invoices name nobody who issues them';
test.each([
  ['no contact is warned of', [], UNREACHED, 1],
  ['a contact is not', ['--contact=help@example.com'], UNREACHED, 0],
  ['neither is another address at which people are reached', ['--support=https://s.example'], UNREACHED, 0],
  ['no issuer of invoices is warned of', ['--billing=on'], UNISSUED, 1],
  ['an issuer is not', ['--billing=on', '--issuer-name=Cloud Ltd'], UNISSUED, 0],
  ['neither is none where nothing is invoiced', ['--billing=off'], UNISSUED, 0],
])('%s', async (_, flags, warning, warnings) => {
  const lines: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line) => void lines.push(line) });
  const config = readConfig(['--data-dir=x', '--platform-key-file=package.json', ...flags], {});
  if (config === 'help') throw new Error('help was asked for');
  const operation = await openOperation(config, { db, clock: new SteppedClock(), log });
  await operation.stop();
  expect(lines.filter((line) => line.includes(warning))).toHaveLength(warnings);
});
