// The frame of the console: the sidebar, the head, and the page between them.
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import { keepFocus } from '@gantry/ui/widgets/keep-focus.ts';
import { useSidebar } from '@gantry/ui/widgets/use-sidebar.ts';
import Box from '@mui/material/Box';
import { type MouseEvent, Suspense, useEffect, useEffectEvent, useRef, useState } from 'react';
import { Outlet, useLocation } from 'react-router';
import type { AreaMenus } from '../area.ts';
import { lazyPart } from '../parts/lazy-part.ts';
import { Header } from './header.tsx';
import { MenuRowsContext } from './menu-rows.ts';
import { OrganizationGate } from './organization-gate.tsx';
import { commandOf } from './shortcut-keys.ts';
import { Sidebar, SidebarDrawer } from './sidebar.tsx';
import { Welcome } from './welcome.tsx';

const Palette = lazyPart(() => import('./palette.tsx'), 'Palette');
const Shortcuts = lazyPart(() => import('./shortcuts.tsx'), 'Shortcuts');

const MAIN = 'main';
type Opened = 'drawer' | 'palette' | 'shortcuts';

export function Shell({ menus }: { menus: AreaMenus }) {
  const ui = useUiWords();
  const { isNarrow, toggle } = useSidebar();
  const [opened, setOpened] = useState<Opened>();
  const close = () => setOpened(undefined);
  const main = useFocusOnNavigation();
  useEffect(keepFocus, []);

  const press = useEffectEvent((event: KeyboardEvent) => {
    const command = commandOf(event);
    if (command === undefined) return;
    event.preventDefault();
    if (command === 'sidebar') toggle();
    else setOpened(command);
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => press(event);
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, []);

  return (
    <MenuRowsContext value={menus}>
      <Box sx={{ display: 'flex', minHeight: '100dvh' }}>
        <Box
          component="a"
          href={`#${MAIN}`}
          onClick={(event: MouseEvent) => {
            event.preventDefault();
            main.current?.focus();
          }}
          sx={{
            position: 'absolute',
            top: 8,
            left: 8,
            zIndex: 'tooltip',
            px: 2,
            py: 0.75,
            borderRadius: 1,
            bgcolor: 'primary.main',
            color: 'primary.contrastText',
            fontWeight: 600,
            fontSize: 14,
            lineHeight: 1.75,
            textDecoration: 'none',
            '&:not(:focus)': { clipPath: 'inset(50%)' },
          }}
        >
          {ui('links.skip')}
        </Box>
        <Sidebar isNarrow={isNarrow} onToggle={toggle} />
        <SidebarDrawer isOpen={opened === 'drawer'} onClose={close} />
        <Box sx={{ flex: 1, minWidth: 0, display: 'flex', flexDirection: 'column' }}>
          <Header
            onMenu={() => setOpened('drawer')}
            onPalette={() => setOpened('palette')}
            onShortcuts={() => setOpened('shortcuts')}
          />
          <Box
            component="main"
            id={MAIN}
            ref={main}
            tabIndex={-1}
            sx={{ flex: 1, p: { xs: 2, md: 3 }, outline: 'none !important', display: 'flex', flexDirection: 'column' }}
          >
            <OrganizationGate>
              <Outlet />
            </OrganizationGate>
          </Box>
        </Box>
        <Welcome />
        <Suspense>
          {opened === 'palette' && <Palette onClose={close} onShortcuts={() => setOpened('shortcuts')} />}
          {opened === 'shortcuts' && <Shortcuts onClose={close} />}
        </Suspense>
      </Box>
    </MenuRowsContext>
  );
}

/** Keyboard and screen reader users continue at the new page's beginning, unless the page has moved the focus itself. */
function useFocusOnNavigation() {
  const main = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  const former = useRef(pathname);
  useEffect(() => {
    if (former.current === pathname) return;
    former.current = pathname;
    const isPlaced = main.current?.contains(document.activeElement) && document.activeElement !== main.current;
    if (!isPlaced) main.current?.focus({ preventScroll: true });
  }, [pathname]);
  return main;
}
