// Transactions: every bill of every organisation, top-ups too.
import { DocumentBody } from '../../parts/document-body.tsx';
import { DrawerList } from '../../parts/drawer-list.tsx';
import { AdminShow } from '../../parts/generic-show.tsx';

const Body = () => <DocumentBody name="transactions" entries="transaction_id" />;

export const List = () => <DrawerList body={<Body />} />;

export const Show = () => (
  <AdminShow>
    <Body />
  </AdminShow>
);
