// Which permission nodes a console asks for.

/** Of the permission nodes of a console: the guard loads them before any page is shown, and everybody reads the same. */
export const nodesInput = (console: 'tenant' | 'admin') => ({ query: { console } });
