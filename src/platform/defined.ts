/**
 * The members that have a value: `defined({ boost })` leaves an absent member absent, never undefined (decision 19),
 * where `spread` makes members of a value.
 */
export const defined = <A extends object>(
  members: { readonly [Name in keyof A]: A[Name] | undefined },
): Partial<A> => {
  const kept: Partial<A> = {}
  for (const name in members) {
    const value = members[name]
    if (value !== undefined) kept[name] = value
  }
  return kept
}
