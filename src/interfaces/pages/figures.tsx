import type { Html, Url } from "./jsx-runtime.ts"
import { share } from "./values.tsx"

/** A figure of a page: its label, the figure, a line of it by time, and what it is compared with. */
export interface Tile {
  readonly label: string
  readonly figure: Html | string | number
  readonly spark?: Html
  readonly note?: Html | string | undefined
}

/** The figures that a page begins with: three to five. */
export const tiles = (shown: ReadonlyArray<Tile>): Html => (<dl class="tiles">
  {shown.map(({ figure, label, note, spark }) => (
    <div class="tile">
      <dt>{label}</dt>
      <dd>{figure}</dd>
      {spark && <dd>{spark}</dd>}
      {note && <dd class="m">{note}</dd>}
    </div>
  ))}
</dl>)

/** How an hour was. Without calls it was nothing. */
export type Hour = "fine" | "slow" | "failing" | "none"

const looks = { fine: ["f4", 0], slow: ["f2", 7], failing: ["f3", 13], none: ["f0", 18] } as const

const tall = 20

/** A bar for each hour, the last one now. Height tells fine, slow, failing; colour only repeats it. */
export const hours = (label: string, bars: ReadonlyArray<Hour>): Html => {
  const step = 100 / Math.max(1, bars.length)
  const width = `${(step * 0.77).toFixed(2)}%`
  return (
    <svg class="hours" role="img" aria-label={label}>
      {bars.map((hour, index) => {
        const [colour, top] = looks[hour]
        return (
          <rect
            class={colour}
            x={`${(index * step).toFixed(2)}%`}
            width={width}
            y={top}
            height={tall - top}
            rx="1"
          />
        )
      })}
    </svg>
  )
}

/** A bar for each hour or day, as tall as its count beside the largest; a line where nothing was. */
export const counts = (label: string, bars: ReadonlyArray<number>): Html => {
  const most = Math.max(1, ...bars)
  const line = bars.map((_, index) => `M${index} 19h.8v1h-.8z`).join("")
  const drawn = bars.map((count, index) => {
    const height = Math.max(2, Math.round(tall * count / most))
    return count === 0 ? "" : `M${index} ${tall - height}h.8v${height}h-.8z`
  }).join("")
  return (
    <svg
      class="hours"
      role="img"
      aria-label={label}
      viewBox={`0 0 ${bars.length} ${tall}`}
      preserveAspectRatio="none"
    >
      <path class="f0" d={line} />
      <path class="f5" d={drawn} />
    </svg>
  )
}

/** How much of a limit is used, as a bar. From `warnAt` of it on the bar warns. */
export const meter = (used: number, limit: number, warnAt = 0.8): Html => {
  const part = Math.min(1, limit > 0 ? used / limit : 0)
  return (
    <svg width="100%" height="8" role="img" aria-label={`${share(used, limit) ?? "no limit"} used`}>
      <rect class="f0" width="100%" height="8" rx="4" />
      <rect class={part >= warnAt ? "f2" : "f1"} width={`${(part * 100).toFixed(1)}%`} height="8" rx="4" />
    </svg>
  )
}

/** What a strip tells of one of the things in it: its name and state, two facts, its hours. */
export interface Strip {
  readonly name: string
  readonly to: Url
  readonly state: Html
  readonly left: Html | string
  readonly right: Html | string
  readonly hours: Html
}

/** A few things beside each other with their state, such as the providers. */
export const strip = (shown: ReadonlyArray<Strip>): Html => (
  <ul class="strip">
    {shown.map(({ hours, left, name, right, state, to }) => (
      <li>
        <p>
          <a class="q" href={to}>
            <b>{name}</b>
          </a>{" "}
          {state}
        </p>
        <p>
          <small>{left}</small>
          <small>{right}</small>
        </p>
        {hours}
      </li>
    ))}
  </ul>
)
