export const words = {
  product: 'Gantry Admin',
  toHome: 'Home',
  notFound: 'There is no such page, or your role cannot open it.',
  newVersion: 'A new version is available and the page refreshes automatically.',
  sidebar: {
    label: 'Menus',
    open: 'Open the menus',
    wide: 'Expand the sidebar',
    narrow: 'Collapse the sidebar',
  },
  user: { label: 'Account: %{name}', logout: 'Log out' },
  notStaff: {
    title: 'This console is for the platform’s staff',
    text: 'You are signed in as %{name}, and this account has no staff role. Ask an administrator for one, or log out and use another account.',
  },
  second: {
    title: 'Set up a second factor',
    lead: 'This installation asks its staff for a second factor. Scan the QR code with an authenticator app, then enter the six digits it shows.',
    secret: 'Or enter this key by hand:',
    password: 'Your password',
    start: 'Continue',
    code: 'Code',
    confirm: 'Turn on and continue',
    recovery: 'Keep these recovery codes in a safe place. Each works once, should you lose your authenticator.',
    done: 'I have saved them',
    missing: 'Please fill this in',
  },
  storage: { snapshots: 'Snapshots' },
  operation: { metrics: 'Metrics' },
  later: {
    shelf: 'Catalogue',
    portal: 'Shelved models and datasets will be arranged here.',
  },
  list: {
    utc: '%{time} UTC',
  },
  waitsForSecond: 'A second person has to approve this: the request waits under Billing → Approvals.',
  reason: {
    label: 'Reason',
    help: 'The audit log keeps it.',
    missing: 'Please give a reason',
  },
} as const;
