// The font of terminals and logs comes along (`plain.css`): those of some machines show no underscores.
import { MONO } from '@gantry/ui/theme/theme.ts';

/** Resolves once it is there, or will not come: what was measured before has to be measured again. */
export const monoFontLoaded = async (): Promise<void> => {
  await document.fonts?.load(`14px ${MONO}`, 'a_').catch(() => []);
};
