// The words of every page, in English: one file, loaded with the first page.
import { words as ui } from '@gantry/ui/words/en.ts';
import { words as parts } from './parts/words/en.ts';
import { words as shell } from './shell/words/en.ts';

export const common = { ui, parts, shell };
