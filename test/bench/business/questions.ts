import { firstDay, lastDay, nameOf, otherAccount } from "./fillBusiness.ts"

/** Paths to ask for, of a service with so many swaps. */
export type Ask = (swaps: number) => ReadonlyArray<string>

const list = (query: string): Ask => () => [`/operator/swaps?limit=50${query}`]

/** Where there are still enough for a page of each filter, with few swaps too. */
const deep = (query: string): Ask => (swaps) => [`/operator/swaps?limit=50${query}&offset=${swaps * 4 / 5}`]

/** Swaps from all over the table. */
const findBy = (name: (n: number) => string): Ask => (swaps) =>
  Array.from(
    { length: 100 },
    (_, index) => `/operator/swaps?find=${name(1 + Math.floor(index * (swaps - 200) / 100))}`,
  )

const month = "from=2026-06-01&to=2026-06-30"
const year = `from=${firstDay}&to=${lastDay}`

/** A tenth of the time in which the swaps were recorded. */
const tenth = `&createdFrom=${Date.parse("2026-06-01")}&createdBefore=${Date.parse("2026-07-07")}`

/** The questions of the operator that many swaps must not make slower. */
export const businessQuestions: Readonly<Record<string, Ask>> = {
  "swaps, first page": list(""),
  "swaps, deep page": deep(""),
  "swaps, ascending": list("&sort=ascending"),
  "swaps of an account": list(`&account=${otherAccount}`),
  "swaps of an account, deep page": deep(`&account=${otherAccount}`),
  "swaps of a provider": list("&platform=near-intents"),
  "swaps in a state": list("&status=failed"),
  "swaps in several states": deep("&status=failed&status=waiting&status=completed"),
  "swaps in a state that none is in": list("&status=receiving"),
  "swaps of an asset": list("&asset=eth.eth"),
  "swaps to an asset": deep("&destinationAsset=sol.sol"),
  "swaps of a time": list(tenth),
  "swaps of a time in a state": list(`${tenth}&status=failed`),
  "stalled swaps": list("&stalled=true"),
  "swaps by account, provider, state and asset": list(
    `&account=${otherAccount}&platform=chainflip&status=completed&sourceAsset=eth.eth`,
  ),
  "swaps that no filter fits": list(`&account=${otherAccount}&asset=dot.hub`),
  "find by id": findBy(nameOf.id),
  "find by the upstream's id": findBy(nameOf.upstream),
  "find by channel": findBy(nameOf.channel),
  "find nothing": findBy((n) => `0xnothing${n}`),
  "commission of a month by account": () => [`/operator/commission?${month}`],
  "commission of a month by all": () => [
    `/operator/commission?${month}&by=account&by=platform&by=asset&by=day`,
  ],
  "commission of a year by provider": () => [`/operator/commission?${year}&by=platform`],
  "commission of a year by day": () => [`/operator/commission?${year}&by=day`],
  "an account's commission of a year": () => [`/commission?${year}`],
  "open channels": () => ["/operator/channels"],
  "open channels, counted": () => ["/operator/channels/counts"],
}
