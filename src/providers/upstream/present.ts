/**
 * The members that are made from a value, or none without one: `{ ...present(boost, (boost) => ({ boost })) }`
 * leaves an absent member absent, never undefined.
 */
export const present = <A, B extends object>(
  value: A | undefined,
  members: (value: A) => B,
): Partial<B> => value === undefined ? {} : members(value)
