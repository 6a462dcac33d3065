// A process of a test: posts one charge of two organisations after the other into the database of its argument (a folder, or a
// URL), and says each key once it is committed. It is there to be killed.
import { micros } from '@gantry/contract/fields/money.ts';
import { systemClock } from '@gantry/kube/clock.ts';
import { openDatabase } from '../../../../platform/db/open.ts';
import { Ledger } from '../ledger.ts';
import { Wallets } from '../wallets.ts';
import { chargeOf } from './charge-of.ts';

const [place = ''] = process.argv.slice(2);
try {
  const db = await openDatabase(place.startsWith('postgres:') ? { url: place } : { folder: place });
  const wallets = new Wallets({ db, clock: systemClock, ledger: new Ledger({ db, clock: systemClock }) });
  process.stdout.write('open\n');
  for (let count = 0; ; count++) {
    const key = `${process.pid}-${count}`;
    await wallets.charge([chargeOf(`${key}-a`, 'aaa', micros(3)), chargeOf(`${key}-b`, 'bbb', micros(5))]);
    process.stdout.write(`${key}\n`);
  }
} catch (error) {
  process.stdout.write(`refused: ${(error as Error).message}\n`);
  process.exit(1);
}
