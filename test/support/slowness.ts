import process from "node:process"

/** Milliseconds of work that are timed. */
const sampleMillis = 40

const cpuMillis = (): number => {
  const { system, user } = process.cpuUsage()
  return (system + user) / 1_000
}

/** How long this process waits for its work, in multiples of the work itself: others want the processors, too. */
const measured = (): number => {
  const [begunAt, begun] = [performance.now(), cpuMillis()]
  while (cpuMillis() - begun < sampleMillis);
  return (performance.now() - begunAt) / sampleMillis
}

/** A whole number by which times are stretched on a busy machine: 1 on a quiet one. Measured when first asked for. */
const factor = Math.max(1, Math.round(measured()))

/** Times of a test whose relation counts and not their length, in milliseconds. */
export const stretched = (millis: number): number => millis * factor

/** The same for settings of a service: those that are durations in milliseconds or seconds. */
export const stretchedSettings = (
  settings: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [
      name,
      value.replace(/^(\d+) (millis|seconds?)$/, (_, digits, unit) => `${stretched(Number(digits))} ${unit}`),
    ]),
  )
