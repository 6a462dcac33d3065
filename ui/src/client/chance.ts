// The browser's chance: also where a page is not secure, which has no `crypto.randomUUID`.
import { type Chance, newFourDigits, newRandomId, newTextCode } from '@gantry/contract/fields/codes.ts';

const chance: Chance = (count) => crypto.getRandomValues(new Uint8Array(count));

export const randomId = (): string => newRandomId(chance);
export const fourDigits = (): string => newFourDigits(chance);
export const textCode = (length: number): string => newTextCode(length, chance);
