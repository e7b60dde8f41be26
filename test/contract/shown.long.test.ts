import { assert, layer } from "#test/support/it.ts"
import { BigDecimal, Effect, Option } from "effect"
import { assetIds } from "#domain/chains/Asset.ts"
import { brokerInProcess, brokerUrl, OwnWorld, testKey } from "#test/support/broker.ts"
import { reach } from "#test/support/reach.ts"
import { addressFor } from "./support/addresses.ts"
import { get } from "./support/call.ts"
import { find, type Json, listAt, numberAt, objectAt, parseJson, textAt } from "./support/Json.ts"

/**
 * Nobody is left out for being slow: each provider's offers are tried. Nobody asks how the swaps stand that are opened: to
 * follow some hundred of them takes longer than to open them.
 */
const waits = { QUOTE_GRACE: "1 minute", TRACKER_INTERVAL: "1 hour" }

/** What the swaps are worth, in US dollars. */
const sizes = [100, 1_000, 20_000]

/** `deno task pairs` tries every pair, the suite one in five, others at each size. */
const share = Deno.env.get("PAIRS") === "all" ? 1 : 5

const pairs = assetIds().flatMap((source) =>
  assetIds().filter((destination) => destination !== source).map((destination) =>
    [source, destination] as const
  )
)

const decimal = (text: string) => Option.getOrThrow(BigDecimal.fromString(text))

/** So much of an asset as is worth so many dollars, in digits that every asset has. */
const amountOf = (assets: Json, id: string, dollars: number): string => {
  const listed = listAt(assets, "assets").find((asset) => textAt(asset, "id") === id) ?? null
  const price = decimal(find(listed, "usdPrice") === undefined ? "5" : numberAt(listed, "usdPrice"))
  const amount = BigDecimal.divideUnsafe(BigDecimal.fromBigInt(BigInt(dollars)), price)
  return BigDecimal.format(BigDecimal.round(amount, { scale: 6 }))
}

/** What a client makes of the parameters of an offer: each as text in a query. */
const asQuery = (members: Json): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(objectAt(members)).map(([name, value]) => [
      name,
      typeof value === "string" ? value : numberAt(members, name),
    ]),
  )

/** Sends a request without a look at what holds for all answers, as there are thousands. */
const ask = Effect.fnUntraced(function* (path: string, query: Readonly<Record<string, string>>) {
  const url = new URL(`${path}?${new URLSearchParams(query)}`, yield* brokerUrl)
  return yield* Effect.promise(async () => {
    const response = await reach(url, { headers: { "x-api-key": testKey } })
    return { status: response.status, text: await response.text() }
  })
})

layer(OwnWorld.alone(brokerInProcess(waits)), { excludeTestServices: true })(
  "what is shown can be had",
  (it) => {
    const refusals = Effect.fnUntraced(function* (start: string, dollars: number) {
      const assets = yield* get("/assets")
      const refused: Array<string> = []
      let offers = 0
      const open = Effect.fnUntraced(function* (path: string, query: Readonly<Record<string, string>>) {
        const { status, text } = yield* ask(path, query)
        if (status !== 200) refused.push(`${path} ${JSON.stringify(query)}: ${status} ${text}`)
      })
      const chosen = pairs.filter((_, index) => index % share === sizes.indexOf(dollars) % share)
      for (const [sourceAsset, destinationAsset] of chosen) {
        const amount = amountOf(assets, sourceAsset, dollars)
        const { status, text } = yield* ask("/quotes", { sourceAsset, destinationAsset, amount, start })
        for (const offer of status === 200 ? listAt(parseJson(text)) : []) {
          offers += 1
          const path = textAt(offer, "startPaths", 0)
          const addresses = {
            destinationAddress: addressFor(destinationAsset),
            refundAddress: addressFor(sourceAsset),
            ...(path === "/swap" ? {} : { sourceAddress: addressFor(sourceAsset) }),
          }
          yield* open(path, { ...asQuery(objectAt(offer, "swapParameters")), ...addresses })
          yield* open(path, {
            sourceAsset,
            destinationAsset,
            ...addresses,
            quoteId: textAt(offer, "quoteId"),
          })
        }
      }
      return { offers, refused }
    })

    for (const start of ["channel", "transaction"]) {
      it.effect.each(sizes)(
        `each offer of all pairs at $%s opens (${start})`,
        function* (dollars) {
          const { offers, refused } = yield* refusals(start, dollars)
          assert.isAbove(offers, 400 / share)
          assert.deepStrictEqual(refused, [])
        },
      )
    }
  },
)
