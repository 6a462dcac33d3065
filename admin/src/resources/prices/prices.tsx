// Dated prices: the list, and the screen on which new ones are simulated on last month's usage and set.
import { AdminList } from '../../parts/admin-list.tsx';
import { GenericTable } from '../../parts/generic-table.tsx';
import { PriceScreen } from './price-screen.tsx';

export const List = () => (
  <AdminList>
    <GenericTable rowClick={false} />
  </AdminList>
);

export const Create = PriceScreen;
