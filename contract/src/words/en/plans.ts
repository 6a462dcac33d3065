// Plans and what they include.

export const names = {
  free: 'Free',
  standard: 'Standard',
  enterprise: 'Enterprise',
};

export const features = {
  community: 'Community chat channel',
  customService: 'Custom service',
  dedicatedSupport: 'Dedicated support',
};
