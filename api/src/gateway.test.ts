// A start that fails midway: what was opened before is closed.
import { expect, test } from '@jest/globals';
import { migratedDatabase, resetDatabase } from '../../test/support/database.ts';
import { startMemoryGateway } from '../../test/support/memory-gateway.ts';

test('an area that cannot open closes what was opened before it', async () => {
  const db = await migratedDatabase();
  await resetDatabase(db);
  // The console's host: refused by the area of instances, which opens after the core and half of the areas.
  const flags = ['--tenant-paths=true', '--tenant-host=localhost', '--public-url=http://localhost:8080'];
  await expect(startMemoryGateway({ db, flags })).rejects.toThrow('--tenant-host');
  await expect(db.ping()).rejects.toThrow();
});
