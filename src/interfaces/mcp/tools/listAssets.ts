import { Effect, Option, Schema, Struct } from "effect"
import { AssetBody } from "#api/Assets.ts"
import { type Chain, chains } from "#domain/chains/Chain.ts"
import { LogoUrls } from "../../requests/PublicUrl.ts"
import { presentAsset } from "../../requests/present/assets.ts"
import { AssetCatalogue } from "#providers/AssetCatalogue.ts"
import { Prices } from "#application/quoting/Prices.ts"
import { answerBy, argumentsReader, bodyOf, Detail, type Tool } from "../Tool.ts"

const input = Schema.Struct({
  network: Schema.optionalKey(
    Schema.Literals(chains()).annotate({
      description: "Only the assets of this network.",
      message: `must be one of ${chains().join(", ")}`,
    }),
  ),
  detail: Schema.optionalKey(Detail),
})

/** An asset as agents need it: without pictures, contracts and paths of REST. */
const SlimAsset = AssetBody.mapFields(Struct.pick([
  "id",
  "name",
  "ticker",
  "network",
  "decimals",
  "enabled",
  "direction",
  "minimalAmount",
  "usdPrice",
  "usdPriceAtDate",
]))

const output = Schema.Struct({
  assets: Schema.Array(SlimAsset),
  full: Schema.optionalKey(Schema.Array(bodyOf("GET /assets"))),
})

const write = answerBy(output)
const encodeAsset = Schema.encodeSync(AssetBody)
const read = argumentsReader(input)

/** Every asset with its network, as one list that both the tool and the resource show. */
export const everyAsset = Effect.gen(function* () {
  const assets = yield* (yield* AssetCatalogue).list
  const prices = yield* (yield* Prices).current(assets)
  const { forHost } = yield* LogoUrls
  return assets.map(presentAsset({ prices, logoUrl: forHost(undefined) }))
})

export const assetsAnswer = (network: Option.Option<Chain>, isFull: boolean) =>
  Effect.map(everyAsset, (all) => {
    const assets = all.filter((asset) => Option.isNone(network) || network.value === asset.network)
    return write({ assets, ...(isFull ? { full: assets.map((asset) => encodeAsset(asset)) } : {}) })
  })

export const listAssets: Tool<Effect.Services<typeof everyAsset>> = {
  name: "list_assets",
  title: "List the assets that can be swapped",
  description:
    "The assets with their ids (`usdc.eth`: ticker, dot, network), decimals and least amounts. Other tools take ids " +
    "only: call this first where you do not know one. The resource broker://assets is the same list.",
  scope: "quote",
  effects: "reads",
  input,
  output,
  perform: (given) =>
    Effect.flatMap(
      read(given),
      ({ detail, network }) => assetsAnswer(Option.fromUndefinedOr(network), detail === "full"),
    ),
}
