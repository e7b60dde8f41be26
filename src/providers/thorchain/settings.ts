import { type Duration, Option, Result, Schema } from "effect"
import { anHttpUrl, HttpUrl, listOf } from "#infrastructure/config/kinds.ts"
import * as Settings from "#infrastructure/config/Setting.ts"
import { type Address, checkAddress } from "#domain/chains/Address.ts"
import { Chain, Network } from "#domain/chains/Chain.ts"

/** A THORName, a MAYAName or an address: it stands in every memo, so it is short and has no separator. */
export const Affiliate = Schema.String.check(Schema.isPattern(/^[0-9a-zA-Z_+-]{1,64}$/))

/** A network's contract on a chain, which takes tokens. */
interface Router {
  readonly chain: Chain
  readonly address: Address
}

/** The contracts of a network that are known beforehand, and the setting that names them. */
export interface Routers {
  readonly setting: string
  readonly known: ReadonlyArray<Router>
}

/** The contract that a text like `Ethereum:0x…` names; none where the address is not of its chain. */
const routerIn = (text: string): Option.Option<Router> => {
  const [, name = "", address = ""] = /^([A-Za-z]+):([A-Za-z0-9]+)$/.exec(text) ?? []
  return Option.flatMap(Schema.decodeUnknownOption(Chain)(name), (chain) =>
    Option.map(
      Result.getSuccess(checkAddress(chain, Network.literals, address)),
      (address) => ({ chain, address }),
    ))
}

const RouterText = Schema.String.check(Schema.makeFilter((text: string) => Option.isSome(routerIn(text))))

/** The settings of a network of the family; the hosts are public nodes, which are named as examples. */
const settingsOf = (
  variable: string,
  node: string,
  nameOfAffiliate: string,
  contracts: string,
  host: string,
  midgardHost: string,
  secondHost?: string,
) => {
  const url = Settings.requiredSetting({
    name: `${variable}_URL`,
    schema: HttpUrl,
    expected: anHttpUrl,
    meaning: `REST API of a ${node}, such as \`${host}\`, without \`/${
      variable === "MAYA" ? "mayachain" : "thorchain"
    }\` at its end`,
  })
  const secondUrl = Settings.optionalSetting({
    name: `${variable}_SECOND_URL`,
    isTuning: false,
    unset: "none",
    schema: HttpUrl,
    expected: anHttpUrl,
    meaning:
      `A second ${node}, if possible of another operator${
        secondHost === undefined ? "" : `, such as \`${secondHost}\``
      }. Used when the first one fails or is silent for a second. Payments then go only to a vault (an address of ` +
      "the network) that both nodes name. The sandbox does not use it",
  })
  const routersName = `${variable}_ROUTERS`
  const routers = Settings.derived(
    Settings.ofPlace(
      url,
      Settings.setting({
        name: routersName,
        default: contracts,
        schema: listOf(RouterText),
        expected: "contracts as chain:address, such as Ethereum:0x…, with commas",
        meaning:
          `All router contracts that deposits may go to, by chain. If the ${node} names another one, swaps from that ` +
          "chain stop. Add a contract once you know that the network has moved to it. The sandbox has its own",
      }),
    ),
    (texts): Routers => ({
      setting: routersName,
      known: texts.flatMap((text) => Option.toArray(routerIn(text))),
    }),
  )
  const place = Settings.derived(Settings.struct({ url, secondUrl }), ({ secondUrl, url }, { announced }) => {
    // The sandbox has a time of its own, in whichever mode the service works with it.
    const simulatedTime = Option.contains(announced(`${variable}_URL`), url.href)
    return { url, secondUrl: Option.filter(secondUrl, () => !simulatedTime), simulatedTime }
  })
  const affiliate = Settings.optionalSetting({
    name: `${variable}_AFFILIATE`,
    isTuning: false,
    unset: { sandbox: "simulated", live: "none: no commission" },
    schema: Affiliate,
    expected: `a ${nameOfAffiliate} or an address`,
    meaning: `${nameOfAffiliate} or address that receives your commission`,
  })
  const midgardUrl = Settings.ofPlace(
    url,
    Settings.optionalSetting({
      name: `${variable}_MIDGARD_URL`,
      isTuning: false,
      unset: { sandbox: "simulated", live: "none: transactions are found only by hash" },
      schema: HttpUrl,
      expected: anHttpUrl,
      meaning:
        `Midgard API, such as \`${midgardHost}\`. It lists the swaps that pay ${variable}_AFFILIATE, so ` +
        "transactions of payloads are found without their hash",
    }),
  )
  return Settings.derived(
    Settings.struct({ place, routers, affiliate, midgardUrl }),
    ({ place, ...own }) => ({ ...place, ...own }),
  )
}

/** Where THORChain is, what it has on chains, and who we are there (thorchain/wire.md 4). */
export const thorchainSettings = settingsOf(
  "THORCHAIN",
  "THORNode",
  "THORName",
  [
    "Ethereum:0xD37BbE5744D730a1d98d8DC97c42F0Ca46aD7146",
    "Bsc:0xb30ec53f98ff5947ede720d32ac2da7e52a5f56b",
    "Base:0x00dc6100103BC402d490aEE3F9a5560cBd91f1d4",
    "Avalanche:0x00dc6100103BC402d490aEE3F9a5560cBd91f1d4",
  ].join(),
  "https://gateway.liquify.com/chain/thorchain_api",
  "https://gateway.liquify.com/chain/thorchain_midgard",
)

export const mayaSettings = settingsOf(
  "MAYA",
  "MAYANode",
  "MAYAName",
  "Ethereum:0xe3985E6b61b814F7Cdb188766562ba71b446B46d,Arbitrum:0x700E97ef07219440487840Dc472E7120A7FF11F4",
  "https://mayanode.mayachain.info",
  "https://midgard.mayachain.info",
  "https://api-maya.liquify.com",
)

/** Public nodes take about one call a second, whatever it asks (thorchain/wire.md 1). */
const limitsOf = (setting: string) => [{ name: "requests", setting, perMinute: 60 }]
export const thorchainLimits = limitsOf("THORCHAIN_REQUESTS_PER_MINUTE")
export const mayaLimits = limitsOf("MAYA_REQUESTS_PER_MINUTE")

/** Without Midgard nothing lists transactions; without an affiliate there can be no commission. */
export interface Options extends Settings.Value<typeof thorchainSettings> {
  /** Networks whose addresses are handed out; all by default. */
  readonly networks?: ReadonlyArray<Network>
  /** How often pools, vaults and the height are fetched anew; 15 seconds by default, at least 1 second. */
  readonly catalogueMaxAge?: Duration.Input
  /** Longest that a fetch of them may take; 3 seconds by default. */
  readonly lookupTimeout?: Duration.Input
}
