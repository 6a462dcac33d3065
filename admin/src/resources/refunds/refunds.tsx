// Refunds: money on its way back, or back in the wallet.
import { DocumentBody } from '../../parts/document-body.tsx';
import { DrawerList } from '../../parts/drawer-list.tsx';
import { AdminShow } from '../../parts/generic-show.tsx';

const Body = () => <DocumentBody name="refunds" entries="refund_id" />;

export const List = () => <DrawerList body={<Body />} />;

export const Show = () => (
  <AdminShow>
    <Body />
  </AdminShow>
);
