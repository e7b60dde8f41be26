import { Effect, Option, Result } from "effect"
import { accountText } from "#domain/chains/address/accountBytes.ts"
import type { Chain } from "#domain/chains/Chain.ts"
import { MalformedBody, type ProviderErrorReason } from "#domain/ProviderError.ts"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import { warnSparsely } from "#infrastructure/platform/rateLimitedLog.ts"
import { optionalMembers } from "#infrastructure/platform/optionalMembers.ts"
import { upstreamText } from "../upstream/failures.ts"
import type { Client } from "./client.ts"
import type { Family } from "./networks.ts"
import type { Routers } from "./settings.ts"
import { readVaults, type Vault, type Vaults } from "./vaults.ts"

/** How long is remembered what was named on a chain, what two nodes agreed on, and what was told of. */
const memoryMillis = 3_600_000

type Named = Pick<Vault, "address" | "router">
type Read = Result.Result<Vaults, ProviderErrorReason>

const textOf = (chain: Chain, { address, router }: Named): string =>
  [address, router ?? ""].map((one) => accountText(chain, one)).join(" ")

/** For people, in so few letters that a line has room for two. */
const shown = ({ address, router }: Named): string =>
  upstreamText(router === undefined ? address : `${address} with ${router}`).slice(0, 100)

/** What a network named on a chain: each vault with when it was seen last. */
interface Seen {
  readonly latest: Named
  readonly at: ReadonlyMap<string, number>
}

/** Compares what nodes say of vaults with each other and with earlier answers, in this process's memory. */
export const makeAgreement = (
  { inboundAddresses }: Pick<Client, "inboundAddresses">,
  family: Family,
  routers: Routers,
): Effect.Effect<Vaults, ProviderErrorReason> => {
  const seen = new Map<Chain, Seen>()
  const agreed = new Map<Chain, { readonly text: string; readonly at: number }>()
  const faults = new Map<string, { readonly fault: ProviderErrorReason; readonly at: number }>()

  /** The same fault is the same reason for an hour, so that it is told once in that time (`upstream/hearing.ts`). */
  const same = (fault: ProviderErrorReason, now: number): ProviderErrorReason => {
    if (fault._tag !== "MalformedBody") return fault
    for (const [detail, { at }] of faults) if (now - at >= memoryMillis) faults.delete(detail)
    const known = faults.get(fault.detail) ?? { fault, at: now }
    faults.set(fault.detail, known)
    return known.fault
  }

  /** Warns of a vault or contract that the network has not named for an hour, where it has named another before. */
  const watch = (chain: Chain, named: Named, now: number): Effect.Effect<void> => {
    const text = textOf(chain, named)
    const known = seen.get(chain)
    const lately = [...known?.at ?? []].filter(([, at]) => now - at < memoryMillis)
    const values = new Map([...lately, [text, now]])
    seen.set(chain, { latest: named, at: values })
    if (known === undefined || textOf(chain, known.latest) === text || lately.some(([one]) => one === text)) {
      return Effect.void
    }
    const [latest, before] = [shown(named), shown(known.latest)]
    return warnSparsely(
      `vaults of ${family.name} on ${chain}`,
      1,
      `${family.name} names another vault on ${chain} than before: ${latest} in place of ${before}, ${values.size} ` +
        "within an hour. Vaults change every few days: if you know of no change, compare it with another node's",
    )
  }

  /** What the other node makes of a vault: nothing is paid to it unless both name it now, or did so within an hour. */
  const held = (chain: Chain, vault: Vault, other: Read, now: number): Vault => {
    const text = textOf(chain, vault)
    const before = Option.filter(
      Option.fromUndefinedOr(agreed.get(chain)),
      ({ at }) => now - at < memoryMillis,
    )
    const doubted = (reason: ProviderErrorReason): Vault => {
      const doubt = same(reason, now)
      return { ...vault, doubt, ...(Option.isNone(before) ? { fault: vault.fault ?? doubt } : {}) }
    }
    if (Result.isFailure(other)) {
      return Option.exists(before, (one) => one.text === text) ? vault : doubted(other.failure)
    }
    const its = other.success.byChain.get(chain)
    if (its === undefined || textOf(chain, its) !== text) {
      const came = its === undefined ? "nothing of one" : `${shown(its)} of the other`
      return doubted(
        new MalformedBody({
          detail: `address: expected one vault on ${chain} of both nodes, got ${shown(vault)} and ${came}`,
          reached: true,
        }),
      )
    }
    agreed.set(chain, { text, at: now })
    return { ...vault, isHalted: vault.isHalted || its.isHalted }
  }

  const read = (inbound: Client["inboundAddresses"]["first"]): Effect.Effect<Read> =>
    Effect.result(Effect.flatMap(inbound, ({ body }) => Effect.fromResult(readVaults(family, routers, body))))

  /** The vaults of one node, compared with the other's answer, with faults that are told once an hour. */
  const compared = (said: Vaults, other: Option.Option<Read>, now: number): Vaults => {
    const all = [said, ...Option.toArray(Option.flatMap(other, Result.getSuccess))]
    return {
      isPaused: all.some(({ isPaused }) => isPaused),
      byChain: new Map([...said.byChain].map(([chain, own]) => {
        const vault = { ...own, ...optionalMembers(own.fault, (fault) => ({ fault: same(fault, now) })) }
        return [
          chain,
          Option.match(other, { onNone: () => vault, onSome: (other) => held(chain, vault, other, now) }),
        ] as const
      })),
    }
  }

  return Effect.gen(function* () {
    const { first, second } = yield* Effect.all({
      first: read(inboundAddresses.first),
      second: Effect.transposeOption(Option.map(inboundAddresses.second, read)),
    }, { concurrency: "unbounded" })
    const now = yield* currentMillis
    // Where the first fails the second one's list is what counts, and the first is the one that says nothing of it.
    const [said, other] = Result.isFailure(first) && Option.exists(second, Result.isSuccess)
      ? [Option.getOrElse(second, () => first), Option.some(first)]
      : [first, second]
    const vaults = yield* Effect.fromResult(said)
    for (const list of [vaults, ...Option.toArray(Option.flatMap(other, Result.getSuccess))]) {
      for (const [chain, vault] of list.byChain) yield* watch(chain, vault, now)
    }
    return compared(vaults, other, now)
  })
}
