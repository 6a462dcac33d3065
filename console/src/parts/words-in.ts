/** The typed words, separated by commas: `a, b` → `['a', 'b']`. */
export const wordsIn = (text: string): string[] =>
  text
    .split(/[,，、\n]/)
    .map((word) => word.trim())
    .filter((word) => word !== '');
