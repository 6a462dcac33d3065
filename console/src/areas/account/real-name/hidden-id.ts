/** An ID card number as it stands on a screen that others may see: its first three and last four characters. */
export const hiddenId = (text: string): string =>
  `${text.slice(0, 3)}${'•'.repeat(Math.max(0, text.length - 7))}${text.slice(-4)}`;
