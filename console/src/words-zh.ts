// The words of every page, in Chinese: one file, loaded with the first page.
import { words as ui } from '@gantry/ui/words/zh.ts';
import { words as parts } from './parts/words/zh.ts';
import { words as shell } from './shell/words/zh.ts';

export const common = { ui, parts, shell };
