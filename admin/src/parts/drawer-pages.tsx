// A resource whose rows open beside their list, and have a page of their own that shows the same.
import type { ComponentType } from 'react';
import { DrawerList } from './drawer-list.tsx';
import { AdminShow } from './generic-show.tsx';

interface DrawerPages {
  Body: ComponentType;
  /** Buttons of the row. */
  Commands?: ComponentType;
}

export const drawerPages = ({ Body, Commands }: DrawerPages) => ({
  List: () => <DrawerList {...(Commands && { commands: <Commands /> })} body={<Body />} />,
  Show: () => (
    <AdminShow {...(Commands && { actions: <Commands /> })}>
      <Body />
    </AdminShow>
  ),
});
