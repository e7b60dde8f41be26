import { type Html } from "./jsx-runtime.ts"

/** The lines of the small pictures, in a place of 16 times 16. */
const drawings = {
  account: "M8 8a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM3 13.5c.5-3 9.5-3 10 0",
  alert: "M8 2.5 14 13H2zM8 6.5v3M8 11.2v.1",
  bill: "M4 2.5h8v11H4zM6 5.5h4M6 8h4M6 10.5h2",
  book: "M3 3h4.5L8 3.5 8.5 3H13v10H3zM8 4v9",
  cross: "M3 3l10 10M13 3 3 13",
  home: "M2.5 7.5 8 3l5.5 4.5V13h-11z",
  hook: "M8 3a2.5 2.5 0 0 1 2 4l2 3.5M8 3a2.5 2.5 0 0 0-2 4l-2 3.5M4 10.5h8",
  key:
    "M10.5 8.5a3 3 0 1 0-3-3c0 .4.1.8.2 1.100L3 11.300V13h2v-1.500h1.500V10h1.500l1.3-1.600c.4.1.8.1 1.2.1zM11.2 4.800v.1",
  percent:
    "M3 13 13 3M5 6a1.2 1.2 0 1 0 0-2.4A1.2 1.2 0 0 0 5 6zM11 12.4a1.2 1.2 0 1 0 0-2.4 1.2 1.2 0 0 0 0 2.4z",
  search: "M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10zM10.7 10.7 14 14",
  servers: "M3 3.5h10V7H3zM3 9h10v3.500H3zM5.2 5.200h.1M5.2 10.800h.1",
  swap: "M3 5.5h9M9.5 3 12 5.5 9.5 8M13 10.5H4M6.5 8 4 10.5 6.5 13",
  wallet: "M2.5 4.5h11v8h-11zM2.5 7h11M10.5 10h1",
} as const

export type IconName = keyof typeof drawings

/** A small picture beside a word that says the same. */
export const icon = (name: IconName): Html => (
  <svg class="i" viewBox="0 0 16 16" aria-hidden="true">
    <path d={drawings[name]} />
  </svg>
)

export const mark: Html = <svg viewBox="0 0 20 20" aria-hidden="true">
  <rect width="20" height="20" rx="5" fill="#2447c6" />
  <path
    d="M5 8h9l-2.5-2.5M15 12H6l2.5 2.5"
    fill="none"
    stroke="#fff"
    stroke-width="1.6"
    stroke-linecap="round"
    stroke-linejoin="round"
  />
</svg>

/** The mark as the picture in the tab of a browser: a file of its own, which has to name its language. */
export const tabIcon: string = `${mark}`.trim().replace("<svg", '<svg xmlns="http://www.w3.org/2000/svg"')
