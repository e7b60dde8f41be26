import type { IconName } from "../pages/icons.tsx"
import { path, type Url } from "../pages/jsx-runtime.ts"

/** A place of the navigation: its group, its words, its picture, and where it leads if to no page of the dashboard. */
interface NavigationEntry {
  /** The heading that it stands under; those without one come first. */
  readonly group: "" | "Money" | "Upstream" | "Integrators" | "Record"
  readonly label: string
  readonly icon: IconName
  readonly to?: Url
}

/** Every place of the navigation, in its order. A place that no page of the viewer's has is not shown. */
export const navigation = {
  overview: { group: "", label: "Overview", icon: "home" },
  swaps: { group: "", label: "Swaps", icon: "swap" },
  alerts: { group: "", label: "Alerts", icon: "alert" },
  treasury: { group: "Money", label: "Treasury", icon: "wallet" },
  withdrawals: { group: "Money", label: "Withdrawals", icon: "bill" },
  commission: { group: "Money", label: "Commission", icon: "percent" },
  providers: { group: "Upstream", label: "Providers", icon: "servers" },
  accounts: { group: "Integrators", label: "Accounts", icon: "account" },
  keys: { group: "Integrators", label: "Keys", icon: "key" },
  webhooks: { group: "Integrators", label: "Webhooks", icon: "hook" },
  errors: { group: "Integrators", label: "Failed requests", icon: "cross" },
  audit: { group: "Record", label: "Audit log", icon: "bill" },
  docs: { group: "Record", label: "API docs", icon: "book", to: path`/docs` },
} as const satisfies Readonly<Record<string, NavigationEntry>>

export type NavPlace = keyof typeof navigation

/** The places with their names, in their order. */
export const navPlaces: ReadonlyArray<readonly [name: string, place: NavigationEntry]> = Object.entries(
  navigation,
)
