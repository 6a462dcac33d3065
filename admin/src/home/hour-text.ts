/** "14:00", local. */
export function hourText(at: string): string {
  const time = new Date(at);
  return `${`${time.getHours()}`.padStart(2, '0')}:${`${time.getMinutes()}`.padStart(2, '0')}`;
}
