// Bills: what was used or ordered, and what is still owed of it.
import { DocumentBody } from '../../parts/document-body.tsx';
import { DrawerList } from '../../parts/drawer-list.tsx';
import { AdminShow } from '../../parts/generic-show.tsx';

const Body = () => <DocumentBody name="bills" entries="bill_id" />;

export const List = () => <DrawerList body={<Body />} />;

export const Show = () => (
  <AdminShow>
    <Body />
  </AdminShow>
);
