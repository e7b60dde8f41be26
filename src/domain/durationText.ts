const units: ReadonlyArray<readonly [millis: number, name: string]> = [
  [86_400_000, "d"],
  [3_600_000, "h"],
  [60_000, "min"],
  [1_000, "s"],
]

/** A length of time in its two largest units: `2 h 5 min`. */
export const durationText = (millis: number): string => {
  const [index, at] = units.entries().find(([, [unit]]) => millis >= unit) ?? [3, units[3]]
  const [unit, name] = at ?? [1_000, "s"]
  const whole = Math.floor(millis / unit)
  const [smaller, smallerName] = units[index + 1] ?? [1, ""]
  const rest = Math.floor((millis % unit) / smaller)
  return rest > 0 && whole < 10 && smallerName !== ""
    ? `${whole} ${name} ${rest} ${smallerName}`
    : `${whole} ${name}`
}

/** The same without seconds beside minutes: `2 h 5 min`, `7 min`, `13 s`. */
export const minutesText = (millis: number): string =>
  durationText(millis < 60_000 ? millis : millis - millis % 60_000)

/** A time as people say it: `3 min ago`, `in 14 min`, `now`. What is past needs no seconds beside minutes. */
export const relativeTime = (at: number, now: number): string => {
  const distance = Math.abs(now - at)
  if (distance < 1_000) return "now"
  return at <= now ? `${minutesText(distance)} ago` : `in ${durationText(distance)}`
}
