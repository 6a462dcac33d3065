// The font of terminals and logs, which comes along: those of some machines show no underscores. Only pages that import it load it.
// Latin alone: smaller subsets would come as data: addresses, which the console's security policy refuses.
import '@fontsource/jetbrains-mono/latin-400.css';
import { MONO } from '@gantry/ui/theme/theme.ts';

export const MONO_FONT = `"JetBrains Mono", ${MONO}`;

/** Resolves once it is there, or will not come: what was measured before has to be measured again. */
export const monoFontLoaded = async (): Promise<void> => {
  await document.fonts?.load(`14px ${MONO_FONT}`, 'a_').catch(() => []);
};
