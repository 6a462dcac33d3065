// Which permission nodes a console asks for.

/** The input for a console's permission nodes: the guard loads them before any page is shown, and everybody reads the same. */
export const nodesInput = (console: 'tenant' | 'admin') => ({ query: { console } });
