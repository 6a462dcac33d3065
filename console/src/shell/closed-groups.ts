// The groups of the sidebar that a person closed on this machine.
import { useState } from 'react';
import { GROUPS, type GroupName } from './menu.ts';

const KEY = 'gantry_closed_groups';

const read = (): readonly GroupName[] => {
  const kept = (localStorage.getItem(KEY) ?? '').split(' ');
  return GROUPS.filter((name) => kept.includes(name));
};

export function useClosedGroups() {
  const [closed, setClosed] = useState(read);
  return {
    isClosed: (name: GroupName) => closed.includes(name),
    toggle: (name: GroupName) => {
      const next = closed.includes(name) ? closed.filter((each) => each !== name) : [...closed, name];
      localStorage.setItem(KEY, next.join(' '));
      setClosed(next);
    },
  };
}
