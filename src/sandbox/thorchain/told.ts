type Members = Readonly<Record<string, unknown>>

/** An object as nodes write it: members that are 0, nothing or not there are left out (thorchain/wire.md 7). */
export const told = (members: Members): Members =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined && value !== 0))
