import { type Duration, Option, Schema } from "effect"
import { anHttpUrl, HttpUrl } from "../../config/kinds.ts"
import type { Network } from "../../domain/Chain.ts"
import { derived, optionalSetting, requiredSetting, struct } from "../../config/Setting.ts"

/** A THORName, a MAYAName or an address: it stands in every memo, so it is short and has no separator. */
export const Affiliate = Schema.String.check(Schema.isPattern(/^[0-9a-zA-Z_+-]{1,64}$/))

/** The settings of a network of the family; the hosts are public nodes, which are named as examples. */
const settingsOf = (
  variable: string,
  node: string,
  nameOfAffiliate: string,
  host: string,
  secondHost?: string,
) => {
  const url = requiredSetting({
    name: `${variable}_URL`,
    schema: HttpUrl,
    expected: anHttpUrl,
    meaning: `REST API of a ${node}, such as \`${host}\`; its path goes in front of \`/${
      variable === "MAYA" ? "mayachain" : "thorchain"
    }\``,
  })
  const secondUrl = optionalSetting({
    name: `${variable}_SECOND_URL`,
    unset: "none",
    schema: HttpUrl,
    expected: anHttpUrl,
    meaning: `A second ${node}, best of another operator${
      secondHost === undefined ? "" : `, such as \`${secondHost}\``
    }: it is asked where the first fails, or says nothing for a second. Beside the sandbox it is not used`,
  })
  const place = derived(struct({ url, secondUrl }), ({ secondUrl, url }, { announced }) => {
    // The sandbox has a time of its own, in whichever mode the service works with it.
    const simulatedTime = Option.contains(announced(`${variable}_URL`), url.href)
    return { url, secondUrl: Option.filter(secondUrl, () => !simulatedTime), simulatedTime }
  })
  const affiliate = optionalSetting({
    name: `${variable}_AFFILIATE`,
    unset: "the sandbox's own; live: none, so no commission",
    schema: Affiliate,
    expected: `a ${nameOfAffiliate} or an address`,
    meaning: `The operator's ${nameOfAffiliate}, or an address, which commission is paid to`,
  })
  return derived(struct({ place, affiliate }), ({ affiliate, place }) => ({ ...place, affiliate }))
}

/** Where THORChain is, and who we are there. */
export const thorchainSettings = settingsOf(
  "THORCHAIN",
  "THORNode",
  "THORName",
  "https://gateway.liquify.com/chain/thorchain_api",
)

/** Where Maya Protocol is, and who we are there. */
export const mayaSettings = settingsOf(
  "MAYA",
  "MAYANode",
  "MAYAName",
  "https://mayanode.mayachain.info",
  "https://api-maya.liquify.com",
)

/** Public nodes take about one call a second, whatever it asks (thorchain/wire.md 1). */
const limitsOf = (setting: string) => [{ name: "requests", setting, perMinute: 60 }]
export const thorchainLimits = limitsOf("THORCHAIN_REQUESTS_PER_MINUTE")
export const mayaLimits = limitsOf("MAYA_REQUESTS_PER_MINUTE")

/** Where a network of the family is and who we are there. */
export interface Options {
  /** The node's REST API. */
  readonly url: URL
  /** The REST API of another node of the network, which is asked where the first fails. */
  readonly secondUrl: Option.Option<URL>
  /** Whether the upstream has a time of its own, as a sandbox has: then its `Date` counts, not our clock. */
  readonly simulatedTime: boolean
  /** Gets the commission; without one there can be none. */
  readonly affiliate: Option.Option<string>
  /** Networks whose addresses are handed out; all by default. */
  readonly networks?: ReadonlyArray<Network>
  /** How often pools, vaults and the height are fetched anew; 15 seconds by default, at least 1 second. */
  readonly catalogueMaxAge?: Duration.Input
  /** Longest that a fetch of them may take; 3 seconds by default. */
  readonly lookupTimeout?: Duration.Input
}
