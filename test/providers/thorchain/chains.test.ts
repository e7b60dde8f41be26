import { assert, describe, it } from "../support.ts"
import { Effect, Option, Result } from "effect"
import { Address } from "#domain/chains/Address.ts"
import { NativeAmount } from "#domain/money/Amount.ts"
import type { AssetId } from "#domain/chains/Asset.ts"
import { decodeCall } from "#domain/chains/payload/abi.ts"
import { noBps } from "#domain/money/Bps.ts"
import type { PayloadSender, VaultSwapRequest } from "#domain/swaps/VaultSwap.ts"
import { writeMemo } from "#providers/thorchain/memo.ts"
import { assetName, maya, thorchain } from "#providers/thorchain/networks.ts"
import { thorchainSettings } from "#providers/thorchain/settings.ts"
import { depositFunction } from "#providers/thorchain/payloads.ts"
import { readVaults } from "#providers/thorchain/vaults.ts"
import { vaultSwapsOf } from "#test/conformance/verbs/kit.ts"
import { addresses, addressFor } from "#test/contract/support/addresses.ts"
import { quote, request, routers } from "./bodies.ts"
import { plain, providerOver, reasonOf, type Script } from "./fakeNode.ts"
import inbound from "#sandbox/thorchain/recorded/inbound-addresses-described-2026.json" with { type: "json" }
import announcedInbound from "#sandbox/thorchain/recorded/maya-inbound-addresses-announced-1136.json" with {
  type: "json",
}
import mayaInbound from "#sandbox/thorchain/recorded/maya-inbound-addresses-zec-halted-2026-09.json" with {
  type: "json",
}
import baseQuote from "#sandbox/thorchain/recorded/quote-base-eth-usdc-2026-04.json" with { type: "json" }

/** The contract of Base and Avalanche in the recorded and described lists. */
const router = "0x00dc6100103BC402d490aEE3F9a5560cBd91f1d4"
const known = {
  setting: "THORCHAIN_ROUTERS",
  known: (["Base", "Avalanche"] as const).map((chain) => ({ chain, address: Address.make(router) })),
}

const rowOf = (code: string) => {
  const row = inbound.body.find(({ chain }) => chain === code)
  return row ?? assert.fail(`${code} is not in the list`)
}

const poolsOf = (assets: ReadonlyArray<AssetId>, family = thorchain) =>
  assets.map((asset) => ({
    asset: assetName(family, asset),
    status: "Available",
    balance_asset: "100000000000000",
    balance_rune: "5000000000000000",
    asset_tor_price: "100000000",
  }))

const allOf = poolsOf(thorchain.assets)

/** A payment of an asset, on a day of the described list, and a quote with the vault and the dust of its chain. */
const askedOf = (
  sourceAsset: AssetId,
  destinationAsset: AssetId,
  amount: bigint,
  sender: PayloadSender,
): VaultSwapRequest => ({
  ...request,
  sourceAsset,
  destinationAsset,
  destinationAddress: Address.make(addressFor(destinationAsset)),
  refundAddress: Address.make(
    sourceAsset === "btc.btc" ? "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq" : `${others[sourceAsset]}`,
  ),
  amount: NativeAmount.make(amount),
  sender,
})

/** Addresses of the caller's that are no vaults of the list. */
const others: Readonly<Partial<Record<AssetId, string>>> = {
  "ltc.ltc": "LKDxGDJq5fF4FohAB8zJH24mDDNHDNtqsE",
  "doge.doge": "D596YFweJQuHY1BbjazZYmAbt8jJPbKehC",
  "bch.bch": "bitcoincash:qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqfnhks603",
  "xrp.xrp": "rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh",
  "eth.base": addresses.base,
  "usdc.base": addresses.base,
  "avax.avax": addresses.avax,
}

const quoteOf = (code: string, destinationAsset: AssetId, more: Readonly<Record<string, unknown>> = {}) => {
  const { address, dust_threshold } = rowOf(code)
  return {
    body: {
      ...quote,
      inbound_address: address,
      ...(code === "BASE" || code === "AVAX" ? { router } : {}),
      dust_threshold,
      recommended_min_amount_in: "0",
      fees: { ...quote.fees, asset: assetName(thorchain, destinationAsset) },
      ...more,
    },
  }
}

const day = (code: string, destinationAsset: AssetId): Script => ({
  inbound: { body: inbound.body },
  pools: { body: allOf },
  quote: quoteOf(code, destinationAsset),
})

const encode = (asked: VaultSwapRequest, script: Script) =>
  Effect.flatMap(
    providerOver(script, { routers: known }),
    ([provider, calls]) =>
      Effect.map(vaultSwapsOf(provider).encode(asked), (encoded) => ({ ...encoded, calls })),
  )

const refusal = (asked: VaultSwapRequest, script: Script) =>
  Effect.flatMap(
    providerOver(script, { routers: known }),
    ([provider, calls]) =>
      Effect.map(
        reasonOf(vaultSwapsOf(provider).encode(asked)),
        (reason) => ({ reason: plain(reason), quotesAsked: calls.filter(isQuote).length }),
      ),
  )

const isQuote = ({ url }: { readonly url: URL }): boolean => url.pathname.endsWith("/quote/swap")

const hexOf = (text: string): string => new TextEncoder().encode(text).toHex()

const utxo = { _tag: "bitcoin" } as const
const evm = { _tag: "evm" } as const
const xrpl = { _tag: "xrpl" } as const

describe("payments from chains of Bitcoin's family", () => {
  it.effect.each(
    [
      ["LTC", "ltc.ltc", "btc.btc", "BTC.BTC", rowOf("LTC").address],
      ["DOGE", "doge.doge", "xrp.xrp", "XRP.XRP", rowOf("DOGE").address],
      // The vault comes without the prefix, and is shown with it.
      ["BCH", "bch.bch", "ltc.ltc", "LTC.LTC", addresses.bch],
    ] as const,
  )(
    "of %s pay the vault first, give change second and have the memo third",
    ([code, source, destination, name, vault]) =>
      Effect.gen(function* () {
        const asked = askedOf(source, destination, 12_345_678_901n, utxo)
        const { mark, payload } = yield* encode(asked, day(code, destination))
        // The refund address has no room in 80 bytes: refunds go to whoever sent the first input.
        const memo = `=:${name}:${asked.destinationAddress}:0:sb:25`
        assert.strictEqual(mark, memo)
        assert.deepStrictEqual<unknown>({ ...payload }, {
          _tag: "bitcoin",
          network: code === "LTC" ? "Litecoin" : code === "DOGE" ? "Dogecoin" : "BitcoinCash",
          depositAddress: vault,
          nulldataPayload: `0x${hexOf(memo)}`,
          amountNative: 12_345_678_901n,
          outputs: ["deposit", "change", "nulldata"],
        })
        assert.isAtMost(memo.length, 80)
      }),
  )

  it.effect("name an address of Bitcoin Cash without its prefix, whose colon would end it", function* () {
    const asked = askedOf("doge.doge", "bch.bch", 12_345_678_901n, utxo)
    const { calls, mark } = yield* encode(asked, day("DOGE", "bch.bch"))
    const bare = addresses.bch.slice("bitcoincash:".length)
    assert.strictEqual(mark, `=:BCH.BCH:${bare}:0:sb:25`)
    assert.strictEqual(calls.find(isQuote)?.url.searchParams.get("destination"), bare)
  })

  it.effect("of Dash go to Maya's vault", function* () {
    const asked = {
      ...askedOf("ltc.ltc", "btc.btc", 20_000_000_001n, utxo),
      sourceAsset: "dash.dash",
      refundAddress: Address.make(addresses.dash),
    } as const
    const [provider] = yield* providerOver({
      inbound: { body: mayaInbound.body },
      lastBlock: { body: [{ chain: "BTC", mayachain: 9_000_000 }] },
      pools: { body: poolsOf(["dash.dash", "btc.btc"], maya) },
      quote: {
        body: {
          ...quote,
          inbound_address: "Xni2cchJh9bDFQsipmy9ANVyrYzna6PWic",
          fees: { ...quote.fees, asset: "BTC.BTC" },
        },
      },
    }, { family: maya })
    const { payload } = yield* vaultSwapsOf(provider).encode(asked)
    assert.deepInclude<unknown>({ ...payload }, {
      _tag: "bitcoin",
      network: "Dash",
      depositAddress: "Xni2cchJh9bDFQsipmy9ANVyrYzna6PWic",
    })
  })
})

describe("payments from the XRP Ledger", () => {
  it.effect("have the memo as the data of their only one, in the ledger's spelling, and the amount in drops", function* () {
    const asked = askedOf("xrp.xrp", "bch.bch", 10_000_000_001n, xrpl)
    const { calls, mark, minimumDeposit, payload } = yield* encode(asked, day("XRP", "bch.bch"))
    const memo = `=:BCH.BCH:${addresses.bch.slice("bitcoincash:".length)}/${asked.refundAddress}:0:sb:25`
    assert.strictEqual(mark, memo)
    assert.deepStrictEqual<unknown>({ ...payload }, {
      _tag: "xrpl",
      network: "XrpLedger",
      depositAddress: rowOf("XRP").address,
      amountNative: 10_000_000_001n,
      memoData: hexOf(memo).toUpperCase(),
    })
    // The network counts eight digits of a coin that has six.
    assert.strictEqual(calls.find(isQuote)?.url.searchParams.get("amount"), "1000000000100")
    assert.strictEqual(minimumDeposit, 1_000_001n)
  })

  it.effect("have a least amount that can be paid, though what is advised has more digits than the coin", function* () {
    const advised = quoteOf("XRP", "bch.bch", { recommended_min_amount_in: "1000000000199" })
    const { reason } = yield* refusal(askedOf("xrp.xrp", "bch.bch", 10_000_000_001n, xrpl), {
      ...day("XRP", "bch.bch"),
      quote: advised,
    })
    assert.deepInclude(reason, { _tag: "DepositBelowMinimum", minimum: 10_000_000_002n })
  })

  it.effect("are found by the hash in capitals, as the ledger writes it", function* () {
    const hash = "AB".repeat(32)
    const asked = askedOf("xrp.xrp", "bch.bch", 10_000_000_001n, xrpl)
    const memo = `=:BCH.BCH:${addresses.bch.slice("bitcoincash:".length)}/${asked.refundAddress}:0:sb:25`
    const [provider, calls] = yield* providerOver({
      status: {
        body: {
          tx: {
            id: hash,
            chain: "XRP",
            from_address: asked.refundAddress,
            to_address: rowOf("XRP").address,
            coins: [{ asset: "XRP.XRP", amount: "1000000000100", decimals: 6 }],
            memo,
          },
          stages: { inbound_observed: { completed: true } },
        },
      },
    })
    const look = (transaction: string) =>
      vaultSwapsOf(provider).status({ transaction, marks: [] }, Option.none())
    const found = yield* look(hash)
    assert.isTrue(Option.isNone(yield* look(hash.toLowerCase())), "the spelling of another chain")
    assert.isTrue(calls[0]?.url.pathname.endsWith(`/tx/status/${hash}`))
    const status = Option.getOrThrow(found).status
    assert.strictEqual(status.deposit?.transactionReference, hash)
    assert.strictEqual(status.deposit?.amount, 10_000_000_001n)
    assert.strictEqual(status.destinationAddress, asked.destinationAddress, "with its prefix")
  })
})

describe("payments from Base and Avalanche", () => {
  it.effect("call the router for the coin, too, with all its digits", function* () {
    for (
      const [code, source, network] of [["BASE", "eth.base", "Base"], [
        "AVAX",
        "avax.avax",
        "Avalanche",
      ]] as const
    ) {
      const asked = askedOf(source, "doge.doge", 1_234_567_890_123_456_789n, evm)
      const { payload } = yield* encode(asked, day(code, "doge.doge"))
      if (payload._tag !== "evm") return assert.fail("no call")
      assert.deepInclude<unknown>({ ...payload }, { network, to: router, value: 1_234_567_890_123_456_789n })
      const call = decodeCall(depositFunction, Uint8Array.fromHex(payload.calldata.slice(2)))
      assert.deepStrictEqual(call?.words.slice(0, 3), [
        BigInt(rowOf(code).address),
        0n,
        1_234_567_890_123_456_789n,
      ])
    }
  })

  it.effect("have a token approved for the router, and never transfer it to the vault", function* () {
    const asked = askedOf("usdc.base", "doge.doge", 25_000_001n, evm)
    const { payload } = yield* encode(asked, day("BASE", "doge.doge"))
    assert.deepInclude<unknown>({ ...payload }, {
      network: "Base",
      to: router,
      value: 0n,
      spender: router,
      sourceTokenAddress: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913",
    })
    const withoutRouter = {
      ...day("BASE", "doge.doge"),
      inbound: { body: inbound.body.map((row) => row.chain === "BASE" ? { ...row, router: "" } : row) },
      quote: quoteOf("BASE", "doge.doge", { router: undefined }),
    }
    assert.deepInclude((yield* refusal(asked, withoutRouter)).reason, { _tag: "AssetDisabled" })
  })

  it("know the contract of a recorded quote by default, and no other one", () => {
    const { defaults } = thorchainSettings.variables.find(({ name }) => name === "THORCHAIN_ROUTERS") ??
      assert.fail("no such setting")
    assert.include(defaults?.live, `Base:${baseQuote.body.router}`)
    const strange = inbound.body.map((row) => row.chain === "BASE" ? { ...row, router: addresses.op } : row)
    const vaults = Result.getOrThrow(readVaults(thorchain, known, strange))
    assert.strictEqual(vaults.byChain.get("Base")?.fault?._tag, "MalformedBody")
    assert.isUndefined(vaults.byChain.get("Avalanche")?.fault)
  })
})

describe("dust", () => {
  it.effect.each(
    [
      ["XRP", "xrp.xrp", 1_000_000n, 1_000_001n, xrpl],
      ["DOGE", "doge.doge", 100_000_000n, 100_000_001n, utxo],
      ["LTC", "ltc.ltc", 10_000n, 10_001n, utxo],
      ["BASE", "eth.base", 10_000_000_000_000n, 10_010_000_000_000n, evm],
    ] as const,
  )(
    "of %s is lost, exactly as much as less: the least amount is named, and no quote asked for",
    ([code, source, dust, minimum, sender]) =>
      Effect.gen(function* () {
        const asked = askedOf(source, "btc.btc", dust, sender)
        const { quotesAsked, reason } = yield* refusal(asked, day(code, "btc.btc"))
        assert.deepInclude(reason, { _tag: "DepositBelowMinimum", asset: source, minimum })
        assert.strictEqual(quotesAsked, 0)
        const enough = { ...asked, amount: NativeAmount.make(minimum) }
        assert.strictEqual((yield* encode(enough, day(code, "btc.btc"))).minimumDeposit, enough.amount)
      }),
  )

  it.effect("of the quote counts as well as that of the list", function* () {
    const { reason } = yield* refusal(askedOf("ltc.ltc", "btc.btc", 20_000n, utxo), {
      ...day("LTC", "btc.btc"),
      quote: quoteOf("LTC", "btc.btc", { dust_threshold: "20000" }),
    })
    assert.deepInclude(reason, { _tag: "DepositBelowMinimum", minimum: 20_001n })
  })

  it.effect("is not paid out: an output of exactly 1 XRP would never arrive", function* () {
    const asked = askedOf("ltc.ltc", "xrp.xrp", 10_000_000n, utxo)
    const paying = (expected_amount_out: string): Script => ({
      ...day("LTC", "xrp.xrp"),
      quote: quoteOf("LTC", "xrp.xrp", { expected_amount_out }),
    })
    assert.deepInclude((yield* refusal(asked, paying("100000000"))).reason, { _tag: "EgressFeeNotCovered" })
    assert.strictEqual((yield* encode(asked, paying("100000100"))).payload.network, "Litecoin")
    const [provider] = yield* providerOver(paying("100000000"), { routers: known })
    const { sender: _, ...looked } = asked
    const reason = yield* reasonOf(provider.quotes({ ...looked, commissionBps: noBps }))
    assert.strictEqual(reason._tag, "EgressFeeNotCovered")
  })
})

describe("halts", () => {
  const from = askedOf("ltc.ltc", "xrp.xrp", 10_000_000n, utxo)

  it.effect("are a chain that is absent, and one whose pause a node of THORChain does not tell", function* () {
    const { chain_trading_paused: _, ...untold } = rowOf("XRP")
    const rest = inbound.body.filter(({ chain }) => chain !== "XRP")
    for (
      const body of [rest, [...rest, untold], [...rest, { ...rowOf("XRP"), chain_trading_paused: true }]]
    ) {
      const { reason } = yield* refusal(from, { ...day("LTC", "xrp.xrp"), inbound: { body } })
      assert.deepInclude(reason, { _tag: "AssetDisabled" })
    }
  })

  it.effect("keep Maya from quoting Zcash", function* () {
    const [provider] = yield* providerOver({
      inbound: { body: mayaInbound.body },
      lastBlock: { body: [{ chain: "BTC", mayachain: 9_000_000 }] },
      pools: { body: poolsOf(["zec.zec", "btc.btc", "dash.dash"], maya) },
    }, { family: maya })
    const reason = yield* reasonOf(
      provider.quotes({
        sourceAsset: "btc.btc",
        destinationAsset: "zec.zec",
        amount: NativeAmount.make(10_000_000n),
        commissionBps: noBps,
      }),
    )
    assert.strictEqual(reason._tag, "AssetDisabled")
    const support = Object.fromEntries(
      (yield* provider.assets).map(({ asset, egress, ingress }) => [asset, [ingress, egress]]),
    )
    assert.deepStrictEqual(support, {
      "zec.zec": [false, false],
      "btc.btc": [true, true],
      "dash.dash": [true, true],
    })
  })
})

describe("Zcash at THORChain, whose vault has a tex address", () => {
  /** The vault of a recorded list (October 2026). */
  const vault = "tex1s2rt77ggv6q989lr49rkgzmh5slsksa9khdgte"
  const script: Script = {
    ...day("BTC", "zec.zec"),
    inbound: { body: [...inbound.body, { ...rowOf("LTC"), chain: "ZEC", address: vault }] },
  }

  it.effect("is paid out to only", function* () {
    const [provider] = yield* providerOver(script, { routers: known })
    const zec = (yield* provider.assets).find(({ asset }) => asset === "zec.zec")
    assert.deepInclude(zec, { ingress: false, egress: true })
    assert.isFalse(vaultSwapsOf(provider).chains.includes("Zcash"))
    const { mark } = yield* encode(askedOf("btc.btc", "zec.zec", 10_000_000n, utxo), script)
    assert.strictEqual(mark, `=:ZEC.ZEC:${addresses.zec}:0:sb:25`)
  })

  it.effect("is never paid from, whatever is asked", function* () {
    const asked = {
      ...askedOf("ltc.ltc", "btc.btc", 20_000_000_001n, utxo),
      sourceAsset: "zec.zec",
      refundAddress: Address.make(addresses.zec),
    } as const
    const { reason } = yield* refusal(asked, {
      ...script,
      quote: quoteOf("LTC", "btc.btc", { inbound_address: vault }),
    })
    assert.match(JSON.stringify(reason), /transparent addresses only/)
  })
})

describe("chains that Maya has announced", () => {
  const announced = ["bnb.bsc", "usdt.bsc", "bch.bch", "trx.tron", "usdt.tron", "sol.sol"] as const
  const rows = announcedInbound.body
  const [bsc, ...restOfRows] = rows
  const listed = (
    vaults: ReadonlyArray<object>,
    assets: ReadonlyArray<AssetId>,
    more: Script = {},
  ): Script => ({
    inbound: { body: [...mayaInbound.body, ...vaults] },
    lastBlock: { body: [{ chain: "BTC", mayachain: 9_000_000 }] },
    pools: { body: poolsOf(["btc.btc", ...assets], maya) },
    ...more,
  })
  const quoteAt = (row: { readonly address?: string; readonly router?: string }, destination: AssetId) => ({
    body: {
      ...quote,
      inbound_address: row.address,
      router: row.router,
      recommended_min_amount_in: "0",
      fees: { ...quote.fees, asset: assetName(maya, destination) },
    },
  })
  const supportOf = (script: Script) =>
    Effect.flatMap(
      providerOver(script, { family: maya }),
      ([provider]) =>
        Effect.map(provider.assets, (assets) =>
          Object.fromEntries(
            assets.map((row) => [row.asset, [row.ingress, row.egress, row.minimumDeposit]]),
          )),
    )
  it.effect("are not there before the network lists vaults and pools of them", function* () {
    assert.deepStrictEqual(Object.keys(yield* supportOf(listed([], []))), ["btc.btc"])
    const withoutVaults = yield* supportOf(listed([], announced))
    for (const asset of announced) {
      assert.deepStrictEqual<unknown>(withoutVaults[asset]?.slice(0, 2), [false, false], asset)
    }
    const [provider, asked] = yield* providerOver(listed([], announced), { family: maya })
    const reason = yield* reasonOf(provider.quotes({
      sourceAsset: "btc.btc",
      destinationAsset: "bch.bch",
      amount: NativeAmount.make(10_000_000n),
      commissionBps: noBps,
    }))
    assert.strictEqual(reason._tag, "AssetDisabled")
    assert.isFalse(asked.some(isQuote))
  })

  it.effect("are swapped above their dust once it does, but not from Solana", function* () {
    assert.deepStrictEqual<unknown>(yield* supportOf(listed(rows, announced)), {
      "btc.btc": [true, true, 10_001n],
      "bnb.bsc": [true, true, 100_010_000_000_000n],
      "usdt.bsc": [true, true, 100_010_000_000_000n],
      "bch.bch": [true, true, 10_001n],
      "trx.tron": [true, true, 100_001n],
      "usdt.tron": [true, true, 100_001n],
      "sol.sol": [false, true, 0n],
    })
    const vault = mayaInbound.body.find(({ chain }) => chain === "BTC") ?? assert.fail("no Bitcoin")
    for (const destination of announced) {
      const [provider] = yield* providerOver(
        listed(rows, announced, { quote: quoteAt(vault, destination) }),
        { family: maya },
      )
      const { mark } = yield* vaultSwapsOf(provider).encode(
        askedOf("btc.btc", destination, 10_000_000n, utxo),
      )
      assert.match(`${mark}`, new RegExp(`^=:${assetName(maya, destination).slice(0, 7)}`))
    }
    const [provider] = yield* providerOver(listed(rows, announced), { family: maya })
    assert.isFalse(vaultSwapsOf(provider).chains.includes("Solana"))
  })

  const paying = (source: AssetId, vaults: ReadonlyArray<object>, row: Parameters<typeof quoteAt>[0]) => {
    const asked = {
      ...askedOf("btc.btc", "btc.btc", 50_000_000_000_000_000_000n, evm),
      sourceAsset: source,
      refundAddress: Address.make(addressFor(source)),
    }
    return [asked, listed(vaults, announced, { quote: quoteAt(row, "btc.btc") })] as const
  }

  it.effect("take the memo as at THORChain: as data, in null data, as a note, by the contract for tokens", function* () {
    const memoOf = (refund: string) => `=:BTC.BTC:${addressFor("btc.btc")}${refund}:0:sb:25`
    const vaults = new Map(rows.map((row) => [row.chain, row]))
    for (
      const [code, source, sender, expected] of [
        ["BSC", "bnb.bsc", evm, (memo: string) => ({
          _tag: "evm",
          network: "Bsc",
          to: bsc?.address,
          calldata: `0x${hexOf(memo)}`,
          value: 50_000_000_000_000_000_000n,
        })],
        ["BCH", "bch.bch", utxo, (memo: string) => ({
          _tag: "bitcoin",
          network: "BitcoinCash",
          depositAddress: addresses.bch,
          nulldataPayload: `0x${hexOf(memo)}`,
          amountNative: 50_000_000_000_000_000_000n,
          outputs: ["deposit", "change", "nulldata"],
        })],
        ["TRON", "trx.tron", { _tag: "tron" }, (memo: string) => ({
          _tag: "tron",
          network: "Tron",
          to: vaults.get("TRON")?.address,
          calldata: "0x",
          value: 50_000_000_000_000_000_000n,
          note: `0x${hexOf(memo)}`,
        })],
      ] as const
    ) {
      const [asked, script] = paying(source, rows, vaults.get(code) ?? {})
      const [provider] = yield* providerOver(script, { family: maya })
      const refundAddress = source === "bch.bch" ? Address.make(others[source] ?? "") : asked.refundAddress
      const { mark, payload } = yield* vaultSwapsOf(provider).encode({ ...asked, refundAddress, sender })
      assert.strictEqual(`${mark}`, memoOf(source === "bch.bch" ? "" : `/${refundAddress}`))
      assert.deepStrictEqual<unknown>({ ...payload }, expected(`${mark}`))
    }
  })

  it.effect("take tokens of BNB Chain by a listed contract alone, and nothing where it is not a known one", function* () {
    const { router, ...withoutRouter } = bsc ?? assert.fail("no BNB Chain")
    const [asked, script] = paying("usdt.bsc", rows, bsc ?? {})
    const [provider] = yield* providerOver(script, { family: maya })
    const { payload } = yield* vaultSwapsOf(provider).encode(asked)
    assert.deepInclude<unknown>({ ...payload }, { _tag: "evm", to: router, spender: router, value: 0n })
    const { sender: _, ...looked } = asked
    for (
      const [row, ingress] of [
        [withoutRouter, [true, false]],
        [{ ...withoutRouter, router: addresses.op }, [false, false]],
      ] as const
    ) {
      const support = yield* supportOf(listed([row, ...restOfRows], announced))
      assert.deepStrictEqual<unknown>([support["bnb.bsc"]?.[0], support["usdt.bsc"]?.[0]], ingress)
      const [, script] = paying("usdt.bsc", [row, ...restOfRows], row)
      const [provider, calls] = yield* providerOver(script, { family: maya })
      assert.strictEqual((yield* reasonOf(provider.quotes(looked)))._tag, "AssetDisabled")
      assert.isFalse(calls.some(isQuote))
      assert.strictEqual((yield* reasonOf(vaultSwapsOf(provider).encode(asked)))._tag, "AssetDisabled")
    }
  })

  it("tell what a payment costs in centigwei", () => {
    const vaults = Result.getOrThrow(readVaults(maya, known, rows))
    assert.deepStrictEqual(vaults.byChain.get("Bsc")?.fee, { fee: 50_000_000n, size: 1n })
    assert.isUndefined(vaults.byChain.get("Tron")?.fee)
  })

  it.effect("keep the case of Solana's transactions, which have 86 to 88 characters", function* () {
    const hash = "ab".repeat(32)
    const destination = addressFor("sol.sol")
    const coin = { asset: "SOL.SOL", amount: "299550000" }
    for (const length of [86, 87, 88]) {
      const id =
        `5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUWzZyxWvUtSrqaBc`
          .slice(0, length)
      const body = {
        tx: {
          id: hash.toUpperCase(),
          chain: "BTC",
          from_address: request.refundAddress,
          coins: [{ asset: "BTC.BTC", amount: "10000000" }],
          memo: `=:SOL.SOL:${destination}:0:sb:25`,
        },
        planned_out_txs: [{ chain: "SOL", to_address: destination, coin, refund: false }],
        out_txs: [{
          id,
          chain: "SOL",
          to_address: destination,
          coins: [coin],
          memo: `OUT:${hash.toUpperCase()}`,
        }],
        stages: { inbound_finalised: { completed: true }, outbound_signed: { completed: true } },
      }
      const [provider, asked] = yield* providerOver({ status: { body } }, { family: maya })
      const { status } = vaultSwapsOf(provider)
      const found = Option.getOrThrow(yield* status({ transaction: hash, marks: [] }, Option.none()))
      assert.strictEqual(found.status.state, "completed")
      assert.strictEqual(found.status.swapEgress?.transactionReference, id)
      // As no payment begins there, none is asked for; and no other spelling of it either.
      const before = asked.length
      assert.isTrue(Option.isNone(yield* status({ transaction: id, marks: [] }, Option.none())))
      assert.lengthOf(asked, before)
    }
  })
})

describe("names in memos", () => {
  const terms = (destinationAsset: AssetId, affiliate: string) => ({
    destinationAsset,
    destination: addressFor(destinationAsset),
    limit: 12_345_678_901n,
    dca: { numberOfChunks: 600, chunkIntervalBlocks: 1 },
    share: { affiliate, bps: 25 },
  })
  const nameIn = (written: ReturnType<typeof writeMemo>) =>
    "memo" in written ? written.memo.split(":")[1] : written.tooLong

  it("are full ones, and codes of a letter only where 80 bytes have no room", () => {
    for (const asset of thorchain.assets) {
      assert.strictEqual(
        nameIn(writeMemo(thorchain, "Ethereum", terms(asset, "sb"))),
        assetName(thorchain, asset),
      )
    }
    assert.strictEqual(nameIn(writeMemo(thorchain, "Dogecoin", terms("eth.base", "sb"))), "BASE.ETH")
    assert.strictEqual(nameIn(writeMemo(thorchain, "Dogecoin", terms("eth.base", "tenletters"))), "f")
  })

  it("are never codes at Maya, where d is Dash and not Dogecoin", () => {
    assert.strictEqual(nameIn(writeMemo(maya, "Bitcoin", terms("dash.dash", "sb"))), "DASH.DASH")
    assert.isNumber(nameIn(writeMemo(maya, "Bitcoin", terms("dash.dash", "x".repeat(24)))))
  })
})

it("the described list is read whole", () => {
  const vaults = Result.getOrThrow(readVaults(thorchain, routers, inbound.body))
  assert.deepStrictEqual(
    [...vaults.byChain].map(([chain, { dust, isHalted }]) => [chain, dust, isHalted]),
    [
      ["Bitcoin", 1_000n, false],
      ["Litecoin", 10_000n, false],
      ["Dogecoin", 100_000_000n, false],
      ["BitcoinCash", 10_000n, false],
      ["XrpLedger", 100_000_000n, false],
      ["Base", 1_000n, false],
      ["Avalanche", 1_000n, false],
    ],
  )
})
