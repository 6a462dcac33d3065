// What every page says, in Chinese: one file, that comes with the first page.
import { words as ui } from '@gantry/ui/words/zh.ts';
import { words as parts } from './parts/words/zh.ts';
import { words as shell } from './shell/words/zh.ts';

export const common = { ui, parts, shell };
