// Memberships, sign-ins and sessions in the tables of the operators' console.

export const words = {
  resources: {
    members: { one: 'Membership', many: 'Memberships' },
    'sign-ins': { one: 'Sign-in', many: 'Sign-ins' },
    sessions: { one: 'Session', many: 'Sessions' },
    views: { one: 'View as tenant', many: 'Views as tenant' },
  },
  fields: {
    second_factor: 'Second factor',
    role: 'Role',
    way: 'Way',
    outcome: 'Outcome',
    times: 'Times',
    first_at: 'First',
    last_at: 'Last',
    last_used_at: 'Last used',
    expires_at: 'Expires',
    started_at: 'Started',
    ended_at: 'Ended',
  },
  choices: {
    role: {
      owner: 'Owner',
      admin: 'Admin',
      member: 'Member',
      billing: 'Billing',
      viewer: 'Viewer',
    },
    way: {
      password: 'Password',
      secondFactor: 'Second factor',
      provider: 'Login provider',
    },
    outcome: {
      signedIn: 'Signed in',
      wrongPassword: 'Wrong password',
      wrongCode: 'Wrong code',
      locked: 'Locked out',
      disabled: 'Account disabled',
      mustChangePassword: 'Password must be changed',
    },
  },
};
