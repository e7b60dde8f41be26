/** A decimal as people read it: commas between thousands, a real minus. No digit is lost: `-1234.5` is `−1,234.5`. */
export const grouped = (decimal: string): string =>
  decimal.replace("-", "−").replace(/^−?\d+/, (whole) => whole.replaceAll(/\B(?=(?:\d{3})+$)/g, ","))

/** `1 opening`, `1,200 openings`, `2 entries`. */
export const counted = (count: number, noun: string, plural = `${noun}s`): string =>
  `${grouped(`${count}`)} ${count === 1 ? noun : plural}`

/** `10 bps (0.1 %)`. */
export const bpsText = (bps: number): string => `${grouped(`${bps}`)} bps (${bps / 100}\u00a0%)`
