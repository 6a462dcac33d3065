// Words of Beacon.

export const name = 'Beacon';
export const many = 'Beacons';

export const phases = {
  dark: 'Dark',
  lit: 'Lit',
};

export const reasons = {
  Lighting: 'It is being lit.',
  Shining: 'It shines, %{affinity}.',
};

export const actions = {
  hold: 'Hold',
  edit: 'Edit',
  release: 'Delete',
};

export const rules = {
  portTaken: 'port 22 is not for beacons',
  portFixed: 'port cannot be changed',
};
