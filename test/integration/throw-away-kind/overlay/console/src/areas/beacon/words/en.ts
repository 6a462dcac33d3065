export const words = {
  title: 'Beacons',
  port: 'Port',
  add: 'Add a beacon',
  emptyTitle: 'No beacon yet',
  emptyHint: 'A beacon is a Service that is kept up.',
};
