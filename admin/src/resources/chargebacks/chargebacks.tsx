// Chargebacks: what banks took back, and the provider's fee.
import { DocumentBody } from '../../parts/document-body.tsx';
import { DrawerList } from '../../parts/drawer-list.tsx';
import { AdminShow } from '../../parts/generic-show.tsx';

const Body = () => <DocumentBody name="chargebacks" entries="chargeback_id" />;

export const List = () => <DrawerList body={<Body />} />;

export const Show = () => (
  <AdminShow>
    <Body />
  </AdminShow>
);
