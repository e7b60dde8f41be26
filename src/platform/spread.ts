/**
 * The members made of a value, or none where there is no value: `{ ...spread(boost, (boost) => ({ boost })) }` leaves
 * an absent member absent, never undefined (decision 19).
 */
export const spread = <A, B extends object>(
  value: A | undefined,
  members: (value: A) => B,
): Partial<B> => value === undefined ? {} : members(value)
