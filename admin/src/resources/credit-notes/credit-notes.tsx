// Credit notes of all organisations, with their PDF.
import { DocumentBody } from '../../parts/document-body.tsx';
import { DrawerList } from '../../parts/drawer-list.tsx';
import { AdminShow } from '../../parts/generic-show.tsx';
import { PdfButton } from '../../parts/pdf-button.tsx';

const Pdf = () => <PdfButton name="credit-notes" route="adminGetCreditNotePdf" />;
const Body = () => <DocumentBody name="credit-notes" />;

export const List = () => <DrawerList commands={<Pdf />} body={<Body />} />;

export const Show = () => (
  <AdminShow actions={<Pdf />}>
    <Body />
  </AdminShow>
);
