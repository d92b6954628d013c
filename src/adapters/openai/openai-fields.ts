/** What a stranger's JSON holds under a name: its own property, or undefined. Never throws. */
export function field(holder: unknown, name: string): unknown {
  if (typeof holder !== 'object' || holder === null) return undefined;
  return Object.getOwnPropertyDescriptor(holder, name)?.value;
}

export function textIn(holder: unknown, name: string): string | undefined {
  const value = field(holder, name);
  return typeof value === 'string' ? value : undefined;
}

export function countIn(holder: unknown, name: string): number {
  const value = field(holder, name);
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? Math.round(value) : 0;
}
