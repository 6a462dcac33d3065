// Beside the page, which stays responsive meanwhile.
import { layoutOf, type Structure } from './layout-of.ts';

addEventListener('message', ({ data }: MessageEvent<Structure>) => postMessage(layoutOf(data)));
