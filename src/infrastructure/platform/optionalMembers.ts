/** The members made of a value; without a value they are absent, never undefined (decision 19). */
export const optionalMembers = <A, B extends object>(
  value: A | undefined,
  members: (value: A) => B,
): Partial<B> => value === undefined ? {} : members(value)

/** The members that have a value: an absent one stays absent, never undefined or null (decision 19). */
export const defined = <A extends object>(
  members: { readonly [Name in keyof A]: A[Name] | null | undefined },
): Partial<A> => {
  const kept: Partial<A> = {}
  for (const name in members) {
    const value = members[name]
    if (value !== undefined && value !== null) kept[name] = value
  }
  return kept
}
