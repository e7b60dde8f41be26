import { Effect } from "effect"
import { eventually } from "#test/durability/eventually.ts"
import { json } from "#test/outside/support.ts"
import { gnosis } from "#test/support/gnosis.ts"
import { temporaryFolder } from "#test/support/folder.ts"
import { assert, describe, it } from "#test/support/it.ts"
import { startService } from "#test/support/process.ts"

/** A file with this content, and the setting that names it. */
const fileOf = Effect.fnUntraced(function* (content: unknown) {
  const path = `${yield* temporaryFolder}/catalogue.json`
  yield* Effect.promise(() => Deno.writeTextFile(path, JSON.stringify(content)))
  return { CATALOGUE_FILE: path }
})

const textAt = (url: URL, path: string, apiKey?: string) =>
  Effect.promise(async () => {
    const answer = await fetch(
      new URL(path, url),
      apiKey === undefined ? {} : { headers: { "x-api-key": apiKey } },
    )
    return await answer.text()
  })

describe.concurrent("a service with CATALOGUE_FILE", () => {
  it.live("has its chains and assets in the contract, the lists, the logos and the rules", function* () {
    const { apiKey, url } = yield* startService(yield* fileOf(gnosis))
    assert.include(yield* textAt(url, "/networks"), '"id":"gno","name":"Gnosis"')
    assert.notInclude(yield* textAt(url, "/assets"), "xdai.gno", "no provider here has it")
    assert.include(yield* textAt(url, "/openapi.json"), '"xdai.gno"')
    assert.include(yield* textAt(url, "/logos/xdai.gno.svg"), ">XDAI<")
    const quote = yield* textAt(url, "/quotes?sourceAsset=btc.btc&destinationAsset=xdai.gno&amount=1", apiKey)
    assert.include(quote, "asset_disabled")
    const swap = "/swap?sourceAsset=btc.btc&destinationAsset=xdai.gno&destinationAddress=0x12"
    assert.include(yield* textAt(url, swap, apiKey), "destinationAddress cannot be used on Gnosis")
  })

  it.live("lets the sandbox trade its assets on chains that the simulated networks serve", function* () {
    const dai = {
      "dai.base": {
        chain: "Base",
        ticker: "DAI",
        name: "Dai",
        decimals: 18,
        contractAddress: "0x50c5725949A6F0c72E6C4a641F24049A917DB0Cb",
      },
    }
    const service = yield* startService(yield* fileOf({ ...gnosis, assets: { ...gnosis.assets, ...dai } }))
    const address = "0x2222222222222222222222222222222222222222"
    const pair = "sourceAsset=dai.base&destinationAsset=usdc.eth&amount=500"
    for (const [index, platform] of ["near-intents", "relay"].entries()) {
      const parties = `destinationAddress=${address}&refundAddress=0x3333333333333333333333333333333333333333`
      const opened = JSON.parse(
        yield* textAt(service.url, `/swap?${pair}&${parties}&platform=${platform}`, service.apiKey),
      )
      const control = (path: string, body: object) =>
        json(new URL(`/sandbox/${path}`, service.url), service.apiKey, { body })
      yield* control("deposits", { address: opened.address, amount: 500 })
      const status = yield* eventually(
        Effect.andThen(
          control("time", { advanceSeconds: 60 }),
          textAt(service.url, `/status-by-id?swapId=${index + 1}`, service.apiKey),
        ),
        (text) => text.includes('"state":"completed"'),
      )
      assert.match(status, /"swapEgress":\{"amount":49\d/)
    }
  })

  it.live("does not start with a faulty row, and names every fault", function* () {
    const faulty = {
      assets: {
        "usdc.base": { chain: "Base", ticker: "USDC", name: "other", decimals: 18 },
        "xdai.gno": { decimals: "x" },
      },
    }
    const { output } = yield* Effect.flip(startService(yield* fileOf(faulty)))
    assert.include(output, "The settings do not fit")
    assert.include(output, "CATALOGUE_FILE: assets.xdai.gno.decimals")
    assert.include(output, "CATALOGUE_FILE: assets.xdai.gno.chain")
  })

  it.live("does not start with a row that contradicts one of this build", function* () {
    const other = {
      assets: {
        "usdc.base": {
          chain: "Base",
          ticker: "USDC",
          name: "other",
          decimals: 18,
          contractAddress: "0xDDAfbb505ad214D7b80b1f830fcCc89B60fb7A83",
        },
      },
    }
    const { output } = yield* Effect.flip(startService(yield* fileOf(other)))
    assert.include(output, "CATALOGUE_FILE: asset usdc.base: there already with other facts")
  })
})
