// The sections of the general texts, in their order; their words are in `words/`.
export const LEGAL_SECTIONS = {
  terms: ['service', 'account', 'use', 'content', 'money', 'availability', 'ending', 'liability', 'changes'],
  privacy: ['what', 'why', 'visitors', 'cookies', 'who', 'long', 'rights', 'safe'],
} as const;
