// Jest's `globalSetup` of the tests that store objects: the object store is built before the first of them, whose limits are seconds.
import { binary } from '../../hack/binaries.ts';
import prepareDatabases from './prepared-databases.ts';

// biome-ignore lint/style/noDefaultExport: Jest asks for it.
export default async function prepare(): Promise<void> {
  await prepareDatabases();
  await binary('versitygw');
}
