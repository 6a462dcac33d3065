// A process of a test: writes one account after the other into the database of its argument (a folder, or a URL), and says each
// name once it is committed. It is there to be killed.
import { openDatabase } from '../open.ts';
import { accounts } from '../schema/people.ts';

const [place = ''] = process.argv.slice(2);
try {
  const db = await openDatabase(place.startsWith('postgres:') ? { url: place } : { folder: place });
  process.stdout.write('open\n');
  for (let count = 0; ; count++) {
    const name = `${process.pid}-${count}`;
    await db.transaction(async (tx) => {
      // Two rows that belong together: one without the other would be half a transaction.
      await tx.insert(accounts).values({ id: `${name}-a`, name: `${name}-a`, createdAt: new Date(0) });
      await tx.insert(accounts).values({ id: `${name}-b`, name: `${name}-b`, createdAt: new Date(0) });
    });
    process.stdout.write(`${name}\n`);
  }
} catch (error) {
  process.stdout.write(`refused: ${(error as Error).message}\n`);
  process.exit(1);
}
