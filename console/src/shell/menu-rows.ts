// The icons and names of the sidebar's entries. Each area brings its own, and they arrive with the frame.
import { useLanguage } from '@gantry/ui/i18n/use-words.tsx';
import { createContext, useContext } from 'react';
import type { Area, AreaMenus, MenuName } from '../area.ts';

export const MenuRowsContext = createContext<AreaMenus>({});

export async function loadMenuRows(areas: readonly Pick<Area, 'menus'>[]): Promise<AreaMenus> {
  const loaded = await Promise.all(areas.map(({ menus }) => menus?.()));
  return Object.assign({}, ...loaded.map((area) => area?.menus));
}

export const useMenuRows = () => useContext(MenuRowsContext);

/** The name of a menu in the person's language. */
export function useMenuName(): (menu: MenuName) => string {
  const rows = useMenuRows();
  const language = useLanguage();
  return (menu) => rows[menu]?.name[language] ?? menu;
}
