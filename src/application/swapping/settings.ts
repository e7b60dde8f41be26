import { mostOf } from "#domain/accounts/OwnTerms.ts"
import { Duration, Effect, Option, Result, Schema, SchemaGetter, SchemaIssue } from "effect"
import {
  count,
  duration,
  durationOrNone,
  durationWithin,
  integer,
  itemsOf,
} from "#infrastructure/config/kinds.ts"
import { timeScale } from "#infrastructure/config/common.ts"
import { perChain } from "#infrastructure/config/perChain.ts"
import { derived, type Mode, optionalSetting, setting, struct } from "#infrastructure/config/Setting.ts"
import { Address, checkAddress } from "#domain/chains/Address.ts"
import { Chain, Network } from "#domain/chains/Chain.ts"
import { issueAbout, type Issues } from "#domain/Issues.ts"
import { ProviderName } from "#domain/ProviderName.ts"
import type { VaultAddress } from "#domain/swaps/VaultSwap.ts"
import type { Configured } from "#providers/definition.ts"
import { deadlines } from "#providers/guard/settings.ts"
import { soleProcess } from "#infrastructure/store/database/settings.ts"

const network = setting({
  name: "CHAINFLIP_NETWORK",
  default: "mainnet",
  schema: Network,
  expected: Network.literals.join(" or "),
  meaning:
    "Network whose addresses live mode accepts, for all providers. sandbox: those of all networks, for a running " +
    "`deno task sandbox`",
})

/** The networks whose addresses are accepted: those of all where no money moves. */
export const networks = derived(
  network,
  (network, { mode }): ReadonlyArray<Network> =>
    mode === "sandbox" || network === "sandbox" ? Network.literals : [network],
)

/** In live mode the addresses of all networks fit simulated providers only: money sent to a test address is lost. */
export const networksFit = (
  mode: Mode,
  accepted: ReadonlyArray<Network>,
  providers: ReadonlyArray<Pick<Configured, "isSimulated" | "name">>,
): Result.Result<void, Issues> => {
  const real = providers.filter(({ isSimulated }) => !isSimulated).map(({ name }) => name)
  if (mode === "sandbox" || !accepted.includes("sandbox") || real.length === 0) return Result.void
  const predicate = `must not be sandbox beside ${real.join(", ")}: it is for the simulated networks alone`
  return Result.fail(issueAbout(network.name, predicate))
}

export const refundAddress = "REFUND_ADDRESS"

export const addressSettings = struct({
  networks,
  /** The network that is paid on at providers that are not simulated, whatever the mode. */
  realNetwork: derived(network, (network): Network => network === "sandbox" ? "mainnet" : network),
  fallbackRefundAddresses: perChain(refundAddress, networks, {
    unset: { sandbox: "simulated", live: "none" },
    meaning: "Address that deposits on this chain are refunded to if the request has no refundAddress",
  }),
})

const vaultAddressParts = /^([a-z0-9-]+):([A-Za-z]+):([A-Za-z0-9]+)$/

/** One contract or program; none where the address is not of its chain. */
const vaultAddressOf = (item: string): Option.Option<VaultAddress> => {
  const [, platform = "", name = "", address = ""] = vaultAddressParts.exec(item) ?? []
  return Option.all({
    platform: ProviderName.makeOption(platform),
    chain: Schema.decodeUnknownOption(Chain)(name),
    address: Address.makeOption(address),
  }).pipe(
    Option.filter(({ address, chain }) => Result.isSuccess(checkAddress(chain, Network.literals, address))),
  )
}

/** `chainflip:Ethereum:0x…`, several separated by commas; an empty list where the text is empty. */
const VaultAddresses = Schema.String.pipe(
  Schema.decodeTo(Schema.Array(Schema.Struct({ platform: ProviderName, chain: Chain, address: Address })), {
    decode: SchemaGetter.transformEffect((list, options) =>
      Option.match(itemsOf(list, vaultAddressOf), {
        onNone: () => Effect.fail(new SchemaIssue.InvalidValue({ message: "is no vault" }, "", options)),
        onSome: (addresses) => Effect.succeed(addresses),
      })
    ),
    encode: SchemaGetter.transform((addresses) =>
      addresses.map(({ platform, chain, address }) => `${platform}:${chain}:${address}`).join(",")
    ),
  }),
)

export const swapSettings = struct({
  timeScale,
  soleProcess,
  openTimeout: deadlines.openTimeout,
  refreshTimeout: deadlines.statusDeadline,
  keyLifetime: durationWithin("24 hours", "30 days", {
    name: "IDEMPOTENCY_KEEP",
    default: "24 hours",
    meaning: "How long an idempotency key and its response are kept",
  }),
  openChannelsMost: count(1, mostOf.maximumOpenChannels, {
    name: "OPEN_CHANNELS_MOST",
    default: 5_000,
    meaning: "Maximum number of open deposit channels of one account",
  }),
  dailyVolumeMost: optionalSetting({
    name: "DAILY_VOLUME_MOST",
    unset: "no limit",
    schema: integer(1, mostOf.maximumDailyVolumeUsd),
    expected: `whole US dollars from 1 to ${mostOf.maximumDailyVolumeUsd}`,
    meaning: "Maximum volume of the swaps that one account begins in a UTC day, in US dollars",
  }),
  sweepInterval: durationWithin("1 second", "1 day", {
    name: "OPENINGS_SWEEP_INTERVAL",
    default: "1 hour",
    meaning: "Interval of the check for untracked channels; each start checks, too",
  }),
  statusMaxAge: durationOrNone({
    name: "STATUS_MAX_AGE",
    default: { live: "6 seconds", sandbox: "0" },
    meaning: "Age at which a stored status that is not final is checked again before the response",
  }),
  recordsKeep: durationWithin("30 days", "3650 days", {
    name: "RECORDS_KEEP",
    default: "90 days",
    meaning:
      "How long refused openings and expired payloads of /tx-payload are kept. A transaction of a deleted payload is no " +
      "longer linked to its account. Swaps are never deleted",
  }),
})

export const lookupSettings = struct({
  timeScale,
  soleProcess,
  /** Later than the deadline, so that a call that hangs ends by itself and its circuit learns of it. */
  lookupTimeout: derived(deadlines.statusDeadline, (deadline) => Duration.sum(deadline, Duration.seconds(1))),
  lookupsPerSecond: count(1, 100_000, {
    name: "LOOKUPS_PER_SECOND",
    default: 100,
    meaning:
      "Maximum number of status checks per second at each provider, for this process. Further checks wait, and their requests " +
      "get the stored status",
  }),
  followQuietFor: durationWithin("1 day", "3650 days", {
    name: "FOLLOW_QUIET_SWAPS",
    default: "60 days",
    meaning:
      "How long after its last change an unfinished swap is still checked, at growing intervals. After that it is " +
      "checked only when its status is requested. A swap is finished once its payout or refund has a transaction",
  }),
})

/** Background look-ups of open swaps. */
export const trackerSettings = struct({
  concurrency: count(1, 1_000, {
    name: "TRACKER_CONCURRENCY",
    default: 16,
    meaning: "Status checks in progress at one provider",
  }),
  pollInterval: duration({
    name: "TRACKER_INTERVAL",
    default: { live: "1 second", sandbox: "200 millis" },
    meaning: "Interval at which due status checks start",
  }),
})

export const vaultSwapSettings = struct({
  timeScale,
  soleProcess,
  vaultAddresses: derived(
    optionalSetting({
      name: "VAULT_ADDRESSES",
      unset: "none",
      schema: VaultAddresses,
      expected:
        "contracts or programs as provider:chain:address, such as chainflip:Ethereum:0x…, with commas",
      meaning:
        "Contracts that payloads may call, by provider and chain; for a vault that has moved. Without an entry: the " +
        "contract of the first payload, or for THORChain and Maya that of their own settings",
    }),
    Option.getOrElse((): ReadonlyArray<VaultAddress> => []),
  ),
})
