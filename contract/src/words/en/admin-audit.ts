// Reviews of real names and verifications of the audit log in the tables of the operators' console.

export const words = {
  resources: {
    'audit-checks': { one: 'Chain verification', many: 'Chain verifications' },
  },
  fields: {
    first_approved_by: 'First approval by',
    first_approved_at: 'First approval',
    first_reason: 'Reason for the first approval',
    decided_by: 'Decided by',
    entries: 'Entries',
    unsealed: 'Not sealed yet',
    blocks: 'Blocks',
    head_hash: 'Hash of the last block',
    fault: 'First fault',
    started_by: 'Started by',
  },
  choices: {
    'audit-checks.state': {
      running: 'Running',
      whole: 'Intact',
      broken: 'Broken',
      failed: 'Not finished',
    },
  },
};
