// The words of every page, in Japanese: one file, loaded with the first page.
import { words as ui } from '@gantry/ui/words/ja.ts';
import { words as parts } from './parts/words/ja.ts';
import { words as shell } from './shell/words/ja.ts';

export const common = { ui, parts, shell };
