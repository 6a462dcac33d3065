/** The server speaks of the old password wherever the current one is asked for. */
export const passwordField = (field: string) => (field === 'old_password' ? ('password' as const) : undefined);
