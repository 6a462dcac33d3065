// Every page of the console, for what leads to them.
import { createContext, useContext } from 'react';
import { useMatches } from 'react-router';
import type { PageRow } from '../area.ts';

export const PagesContext = createContext<readonly PageRow[]>([]);

export const usePages = () => useContext(PagesContext);

/** The current page; undefined if it belongs to no area. */
export const usePage = (): PageRow | undefined => useMatches().at(-1)?.handle as PageRow | undefined;
