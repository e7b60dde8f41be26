const dayMillis = 86_400_000

const isoDay = (at: number): string => new Date(at).toISOString().slice(0, 10)

/** Commission is of the service's own days: from yesterday on, for most of a year. */
export const ownDays = () => ({
  from: isoDay(Date.now() - dayMillis),
  to: isoDay(Date.now() + 300 * dayMillis),
})
