// In the browser, for pages that need no React: most of them.
import { enliven } from './enliven.ts';

enliven(document);
