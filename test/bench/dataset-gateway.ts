// The gateway in a process of its own, over an API server in memory, with a database and an object store. Arguments: the database's
// address, the store's, and the file of its keys. Writes its address and a member's token, as JSON.
import { API_VERSION } from '@gantry/contract/define-kind.ts';
import { type Organization, organization } from '@gantry/contract/kinds/organization.ts';
import { openDatabase } from '../../api/src/platform/db/open.ts';
import { startMemoryGateway } from '../support/memory-gateway.ts';

const [database = '', store = '', keys = ''] = process.argv.slice(2);
const db = await openDatabase({ url: database });
const flags = [`--object-store-url=${store}`, `--object-store-credentials-file=${keys}`];
const tenant: Organization = {
  ...{ apiVersion: API_VERSION, kind: organization.kind, metadata: { name: 'acmeorgs' } },
  spec: { displayName: 'acmeorgs', quota: { modelsGi: 1000 } },
} as Organization;
const gateway = await startMemoryGateway({ db, flags, objects: [tenant] });
console.log(JSON.stringify({ url: gateway.url, token: gateway.tokens.member }));
