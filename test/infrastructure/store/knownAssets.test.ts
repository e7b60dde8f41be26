import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { AssetsMissing, checkAssets } from "#infrastructure/store/knownAssets.ts"
import { newAccount, onStores } from "#test/support/store.ts"
import { assert } from "#test/support/it.ts"
import { anyChannel, swapRequest, waitingStatus } from "#test/support/swap.ts"
import { insertSwap } from "./business/support.ts"

const told = Effect.map(Effect.flip(checkAssets), (error) => {
  assert.instanceOf(error, AssetsMissing)
  return error.message
})

onStores(Layer.empty)("the assets of the records", (it) => {
  it.effect("are those of the catalogue, or are named with what there is of them", function* () {
    const sql = yield* SqlClient.SqlClient
    const account = yield* newAccount
    const status = waitingStatus(swapRequest, anyChannel)
    const open = yield* insertSwap({ account: account.id, status, isOpen: true })
    const ended = yield* insertSwap({ account: account.id, status: { ...status, state: "completed" } })
    yield* sql`INSERT INTO account_routes VALUES (${account.id}, '*', 'usdc.eth', false)`
    yield* checkAssets

    yield* sql`UPDATE listed_swaps SET source_asset = 'xdai.gno' WHERE swap_id IN (${open}, ${ended})`
    yield* sql`UPDATE listed_swaps SET destination_asset = 'vtc.vtc' WHERE swap_id = ${ended}`
    yield* sql`UPDATE account_routes SET destination_asset = 'vtc.vtc'`
    const message = yield* told
    assert.include(message, "vtc.vtc (1 swap, 0 of them under way; 1 other record)")
    assert.include(message, "xdai.gno (2 swaps, 1 of them under way; 0 other records)")
    assert.include(message, "CATALOGUE_FILE")
  })

  it.effect("include those of openings whose outcome is unknown, which no list has", function* () {
    const sql = yield* SqlClient.SqlClient
    const account = yield* newAccount
    yield* sql`
      INSERT INTO swaps (account_id, platform, opening, request, created_at, updated_at) VALUES (${account.id},
        'chainflip', 'unknown', '{"sourceAsset": "usdc.gno", "destinationAsset": "btc.btc"}', now(), now())`
    assert.include(yield* told, "usdc.gno (0 swaps, 0 of them under way; 1 other record)")
  })
})
