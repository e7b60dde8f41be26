import { Schema } from "effect"
import { assetIds } from "#domain/chains/Asset.ts"
import { startSandbox } from "#test/sandbox/support.ts"
import { assert, describe, it } from "#test/support/it.ts"
import { simulatedNames } from "#test/support/simulated.ts"
import { patient } from "./rehearse/support/rehearsed.ts"
import { cliWith } from "./running.ts"

const Listed = Schema.Struct({
  assets: Schema.Array(Schema.Struct({
    asset: Schema.String,
    caip19: Schema.String,
    takenBy: Schema.Array(Schema.String),
    paidBy: Schema.Array(Schema.String),
  })),
  leftOut: Schema.Array(Schema.Struct({ provider: Schema.String, reason: Schema.String })),
})
const decode = Schema.decodeEffect(Schema.fromJsonString(Listed))

describe("catalogue", () => {
  it.live("lists every asset, with the providers that serve it at present", function* () {
    const { url } = yield* startSandbox()
    const { code, errors, output } = yield* cliWith(
      { ...patient, SANDBOX_URL: url.origin },
      "catalogue",
      "--json",
    )
    assert.strictEqual(code, 0, errors)
    const { assets } = yield* decode(output)
    assert.deepStrictEqual(assets.map(({ asset }) => asset), [...assetIds()])
    const bitcoin = assets.find(({ asset }) => asset === "btc.btc")
    assert.sameMembers([...bitcoin?.takenBy ?? []], [...simulatedNames])
    assert.sameMembers([...bitcoin?.paidBy ?? []], [...simulatedNames])
    assert.strictEqual(bitcoin?.caip19, "bip122:000000000019d6689c085ae165831e93/slip44:0")
    assert.deepStrictEqual(assets.find(({ asset }) => asset === "dot.hub")?.takenBy, ["chainflip"])
  })

  it.live("says in words where nobody can be asked", function* () {
    const { code, errors } = yield* cliWith(patient, "catalogue")
    assert.strictEqual(code, 2)
    assert.include(errors, "The sandbox inside the service cannot be called from here")
  })
})
