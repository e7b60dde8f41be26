import { Effect, Option } from "effect"
import { counted } from "#domain/figures.ts"
import type { Configured, UpstreamUrl } from "#providers/definition.ts"
import type { Provider } from "#providers/Provider.ts"
import { partitionSimulated, Registry } from "#providers/Registry.ts"
import type { Settings } from "#settings.ts"
import { listens, ownProviders } from "../ownProviders.ts"
import { advice, type Finding, ill, well } from "./checks.ts"

const patienceMillis = 5_000

/** Nodes answer so where they have nothing, such as at the root (thorchain/wire.md 1). */
const notImplemented = 501

/** Whether an upstream answers. Any answer but another 5xx shows that it is there; its provider reads the content. */
const reach = ({ setting, url }: UpstreamUrl): Effect.Effect<Finding> =>
  Effect.tryPromise(async () => {
    const response = await fetch(url, { signal: AbortSignal.timeout(patienceMillis) })
    await response.body?.cancel()
    return response.status
  }).pipe(Effect.match({
    onSuccess: (status) =>
      status < 500 || status === notImplemented
        ? well(setting, `${url.host} can be reached`)
        : ill(setting, `${url.host} answers with ${status}`, "Check that upstream, or ask its operator"),
    onFailure: () =>
      ill(
        setting,
        `${url.host} cannot be reached within ${patienceMillis / 1_000} seconds`,
        `Correct ${setting}, or let this machine connect to ${url.host}`,
      ),
  }))

/** What the operator's account lacks for transactions from Bitcoin, if anything; only read (chainflip/wire.md 2.3). */
const lackOf = ({ treasury, vaultSwaps }: Provider): Effect.Effect<string | undefined> =>
  treasury === undefined || vaultSwaps?.chains.includes("Bitcoin") !== true
    ? Effect.undefined
    : Effect.match(treasury.account, {
      onSuccess: ({ preparesBitcoin }) =>
        preparesBitcoin === false
          ? "the broker has no private Bitcoin channel, so it prepares no transactions from Bitcoin"
          : undefined,
      onFailure: ({ reason }) =>
        `private Bitcoin channel of the broker unknown (${reason._tag}). Without one it prepares no transactions from Bitcoin`,
    })

const ask = (provider: Provider): Effect.Effect<Finding> => {
  const { assets, name } = provider
  return Effect.matchEffect(assets, {
    onSuccess: (all) =>
      Effect.map(
        lackOf(provider),
        (lack) =>
          lack === undefined ? well(`provider ${name}`, `knows ${counted(all.length, "asset")}`) : advice(
            `provider ${name}`,
            `knows ${counted(all.length, "asset")}; ${lack}`,
            "Optional: open one at the broker for a bond of 100 FLIP (broker_open_private_btc_channel)",
          ),
      ),
    onFailure: ({ reason }) =>
      Effect.succeed(ill(
        `provider ${name}`,
        `its assets could not be read (${reason._tag})`,
        `Check the settings of ${name}, or switch it off: cli providers switch ${name} off --reason TEXT`,
      )),
  })
}

const askAll = (settings: Settings, configured: ReadonlyArray<Configured>) =>
  Effect.gen(function* () {
    const registry = yield* Registry
    return yield* Effect.forEach(yield* registry.enabled, ask, { concurrency: "unbounded" })
  }).pipe(Effect.provide(ownProviders(settings, configured)))

/** Which providers the sandbox simulates, where that is not what the mode says. */
const simulation = (
  { enabledProviders, isSimulated, mode, sandbox }: Settings,
  configured: ReadonlyArray<Configured>,
): ReadonlyArray<Finding> => {
  const [real, simulated] = partitionSimulated(
    configured.map(({ name }) => name).filter((name) => enabledProviders.includes(name)),
    { isSimulated },
  )
  if (mode === "live") {
    return real.length === 0 || simulated.length === 0 ? [] : [
      advice(
        "upstreams",
        `MODE=live, but ${simulated.join(", ")} is simulated. No money moves there`,
        `Set real upstream URLs for ${simulated.join(", ")}, or remove it from PROVIDERS`,
      ),
    ]
  }
  if (real.length > 0) {
    return [
      advice(
        "upstreams",
        `MODE=sandbox, but ${real.join(", ")} is not simulated. Real money may move there`,
        `Set MODE=live, or unset the settings of ${real.join(", ")}, or remove it from PROVIDERS`,
      ),
    ]
  }
  return Option.isNone(sandbox.url) ? [well("upstreams", "simulated inside the service (MODE=sandbox)")] : []
}

/** Whether each upstream answers as its provider expects. A sandbox within the service listens only while that runs. */
export const checkUpstreams = Effect.fnUntraced(function* (settings: Settings) {
  const configured = yield* settings.providersAt(settings.sandbox.url)
  const places = configured.flatMap(({ places }) => places).filter(listens(settings))
  const reached = yield* Effect.forEach(places, reach, { concurrency: "unbounded" })
  const asked = yield* askAll(settings, configured.filter(({ places }) => places.every(listens(settings))))
  const lacks = configured.flatMap(({ lack, name }) => {
    if (lack === undefined || (settings.mode === "sandbox" && !lack.isFault)) return []
    const { detail, isFault, todo } = lack
    return [{ check: `key of ${name}`, ok: !isFault, detail, todo }]
  })
  return [...simulation(settings, configured), ...reached, ...asked, ...lacks]
})
