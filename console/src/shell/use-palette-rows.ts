// Everything that the palette knows: pages, the organisation's own things by name, and commands.
import type { Language } from '@gantry/contract/fields/language.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useCall } from '@gantry/ui/client/use-api.tsx';
import { changeLanguage, LANGUAGE_NAMES } from '@gantry/ui/i18n/language.ts';
import { useLanguage, useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import { useMay } from '@gantry/ui/session/permission.tsx';
import { useColorScheme } from '@mui/material/styles';
import { useDeferredValue } from 'react';
import { useNavigate } from 'react-router';
import type { MenuName } from '../area.ts';
import { useOrganization } from '../parts/use-me.ts';
import { pathOf } from './menu.ts';
import { useMenuName } from './menu-rows.ts';
import { usePages } from './pages.tsx';
import type { PaletteRow } from './palette-rows.ts';
import { useSwitchOrganization } from './switch-organization.tsx';
import { useLogOut } from './use-log-out.ts';
import { useMenu } from './use-menu.ts';
import { useShellWords } from './use-shell-words.ts';

const FOUND_OF_EACH = 5;
/** Goals that people look for without knowing the page. */
const WAYS = [
  { id: 'createInstance', menu: 'develop/instance', path: '/develop/instance/create', node: 'createInstance' },
  { id: 'createJob', menu: 'deploy/job', path: '/deploy/job/create', node: 'createJob' },
  { id: 'createService', menu: 'deploy/service', path: '/deploy/service/create', node: 'createService' },
  { id: 'createDeployment', menu: 'model/deployment', path: '/model/deployment/create', node: 'createDeployment' },
  { id: 'createFineTune', menu: 'model/finetune', path: '/model/finetune/create', node: 'createFineTune' },
  { id: 'createEvaluation', menu: 'model/evaluation', path: '/model/evaluation/create', node: 'createEvaluation' },
  { id: 'rentHost', menu: 'gpu/nodes', path: '/gpu/nodes/rent', node: 'createHost' },
  { id: 'recharge', menu: 'manage/billing', path: '/manage/billing/recharge', node: 'recharge' },
  { id: 'sshKeys', menu: 'manage/account', path: '/manage/account/keys' },
  { id: 'apiTokens', menu: 'manage/account', path: '/manage/account/tokens' },
  { id: 'kubeconfig', menu: 'manage/account', path: '/manage/account/kubeconfig' },
  { id: 'security', menu: 'manage/account', path: '/manage/account/security' },
  { id: 'members', menu: 'manage/organization', path: '/manage/organization/members' },
] as const satisfies readonly { id: string; menu: MenuName; path: string; node?: string }[];
const SCHEMES = ['light', 'dark', 'system'] as const;

export function usePaletteRows(text: string, onShortcuts: () => void): readonly PaletteRow[] {
  const found = useFound(text);
  const pages = usePageRows();
  return [...pages, ...found, ...useCommandRows(onShortcuts)];
}

function usePageRows(): readonly PaletteRow[] {
  const t = useShellWords();
  const nameOf = useMenuName();
  const navigate = useNavigate();
  return useMenu().flatMap(({ name, menus }) =>
    menus.map((menu) => ({
      id: `page-${menu}`,
      group: 'pages' as const,
      label: nameOf(menu),
      ...(name !== menu && { hint: t(`groups.${name}`) }),
      words: [menu],
      run: () => void navigate(pathOf(menu)),
    })),
  );
}

/** By a part of the name or id, as the lists search. */
function useFound(text: string): readonly PaletteRow[] {
  const navigate = useNavigate();
  const pages = usePages();
  const search = useDeferredValue(text.trim());
  const input = { query: { search, size: FOUND_OF_EACH } };
  const options = { enabled: search !== '', keepsPrevious: true };
  const menus = useMenu().flatMap((group) => group.menus);
  const has = (menu: MenuName) =>
    menus.includes(menu) && pages.some(({ path }) => path.startsWith(`${pathOf(menu)}/:`));
  const instances = useCall(CALLS.listInstances, input, {
    ...options,
    enabled: options.enabled && has('develop/instance'),
  });
  const hosts = useCall(CALLS.listHosts, input, { ...options, enabled: options.enabled && has('gpu/nodes') });
  const disks = useCall(CALLS.listDisks, input, { ...options, enabled: options.enabled && has('gpu/storage') });
  if (search === '') return [];
  const row = (group: PaletteRow['group'], { id, name, phase_label }: Found, path: string): PaletteRow => ({
    id: `${group}-${id}`,
    group,
    label: name,
    hint: phase_label,
    // The server has found it: it matches whatever was typed.
    words: [id, text],
    run: () => void navigate(path),
  });
  return [
    ...(instances.data?.items ?? []).map((each) => row('instances', each, `/develop/instance/${each.id}`)),
    ...(hosts.data?.items ?? []).map((each) => row('hosts', each, `/gpu/nodes/${each.id}`)),
    ...(disks.data?.items ?? []).map((each) => row('disks', each, `/gpu/storage/${each.id}/${each.region}`)),
  ];
}

interface Found {
  readonly id: string;
  readonly name: string;
  readonly phase_label: string;
}

function useCommandRows(onShortcuts: () => void): readonly PaletteRow[] {
  const t = useShellWords();
  const ui = useUiWords();
  const navigate = useNavigate();
  const may = useMay();
  const menus = useMenu().flatMap((group) => group.menus);
  const language = useLanguage();
  const { mode, setMode } = useColorScheme();
  const { data: mine } = useOrganization();
  const { data: all } = useCall(CALLS.listOrganizations, { query: { size: 1000 } });
  const { switchTo, isSwitching } = useSwitchOrganization();
  const { logOut } = useLogOut();
  const row = (id: string, label: string, run: () => void): PaletteRow => ({ id, group: 'commands', label, run });
  const others = t('palette.otherWords').split(' ');
  const languages = (Object.keys(LANGUAGE_NAMES) as Language[]).filter((each) => each !== language);
  return [
    ...WAYS.filter((way) => menus.includes(way.menu) && (!('node' in way) || may(way.node))).map((way) => ({
      ...row(way.id, t(`palette.ways.${way.id}`), () => void navigate(way.path)),
      // "new inst" is typed as well as "create".
      ...('node' in way && { words: others }),
    })),
    ...(all?.items ?? [])
      .filter(({ org_id }) => org_id !== mine?.org_id && !isSwitching)
      .map(({ org_id, org_name }) =>
        row(`org-${org_id}`, t('palette.switchTo', { name: org_name }), () => switchTo(org_id)),
      ),
    ...languages.map((each) =>
      row(`language-${each}`, t('palette.languageTo', { name: LANGUAGE_NAMES[each] }), () => changeLanguage(each)),
    ),
    ...SCHEMES.filter((scheme) => scheme !== mode).map((scheme) =>
      row(`scheme-${scheme}`, t('palette.schemeTo', { name: ui(`scheme.${scheme}`) }), () => setMode(scheme)),
    ),
    row('shortcuts', t('shortcuts.title'), onShortcuts),
    row('log-out', t('user.logout'), logOut),
  ];
}
