// Discounts by organisation, plan, SKU or code. A row's page is at /manage/discount/<id>/<type>.
import { useListContext } from 'react-admin';
import { AdminList } from '../../parts/admin-list.tsx';
import { GenericTable } from '../../parts/generic-table.tsx';
import { DiscountForm } from './discount-form.tsx';

export const List = () => (
  <AdminList>
    <Table />
  </AdminList>
);

function Table() {
  const { data = [] } = useListContext<{ id: string; type: string }>();
  return (
    <GenericTable
      rowClick={(id) => {
        const row = data.find((one) => one.id === id);
        return row ? `/manage/discount/${id}/${row.type}` : false;
      }}
    />
  );
}

export const Create = DiscountForm;
