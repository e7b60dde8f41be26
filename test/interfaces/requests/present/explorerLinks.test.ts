import { assetIds, chainOf } from "#domain/chains/Asset.ts"
import { type BuiltInChain, type Chain, chainFacts, type Network } from "#domain/chains/Chain.ts"
import { transactionUrl } from "#domain/chains/explorer.ts"
import { builtInChains } from "#domain/chains/catalogue/chains.ts"
import { NativeAmount } from "#domain/money/Amount.ts"
import { ProviderName } from "#domain/ProviderName.ts"
import type { Egress, SwapStatus } from "#domain/swaps/Swap.ts"
import { type StandingSwap, SwapRecordId } from "#domain/swaps/SwapRecord.ts"
import { recordJson } from "#api/presentSwap.ts"
import { swapLine, swapsHead } from "#interfaces/requests/csv.ts"
import { summaryOf } from "#interfaces/mcp/tools/swapSummary.ts"
import { presentNetworks } from "#interfaces/requests/present/assets.ts"
import { parseRows } from "#test/interfaces/http/csv/parseCsv.ts"
import { minimal } from "#test/api/present/statuses.ts"
import { assert, describe, it } from "#test/support/it.ts"
import { freshStanding } from "#test/support/swap.ts"

const hash = "([0-9a-f]{64})"
const signature = "([1-9A-HJ-NP-Za-km-z]{80,90})"
const extrinsic = "([0-9]{1,15}-[0-9]{1,15})"

/** The pages of transactions of each chain, as far as this test knows explorers. */
const pages: Readonly<Record<BuiltInChain, string>> = {
  Bitcoin: `mempool\\.space/tx/${hash}`,
  Ethereum: `etherscan\\.io/tx/(0x[0-9a-f]{64})`,
  Arbitrum: `arbiscan\\.io/tx/(0x[0-9a-f]{64})`,
  Solana: `solscan\\.io/tx/${signature}`,
  Assethub: `assethub-polkadot\\.subscan\\.io/extrinsic/${extrinsic}`,
  Tron: `tronscan\\.org/#/transaction/${hash}`,
  Polkadot: `polkadot\\.subscan\\.io/extrinsic/${extrinsic}`,
  Bsc: `bscscan\\.com/tx/(0x[0-9a-f]{64})`,
  Base: `basescan\\.org/tx/(0x[0-9a-f]{64})`,
  Polygon: `polygonscan\\.com/tx/(0x[0-9a-f]{64})`,
  Avalanche: `snowtrace\\.io/tx/(0x[0-9a-f]{64})`,
  Optimism: `optimistic\\.etherscan\\.io/tx/(0x[0-9a-f]{64})`,
  Litecoin: `litecoinspace\\.org/tx/${hash}`,
  Dogecoin: `dogechain\\.info/tx/${hash}`,
  BitcoinCash: `blockchair\\.com/bitcoin-cash/transaction/${hash}`,
  Zcash: `blockchair\\.com/zcash/transaction/${hash}`,
  Dash: `blockchair\\.com/dash/transaction/${hash}`,
  XrpLedger: "livenet\\.xrpl\\.org/transactions/([0-9A-F]{64})",
}
const forms = Object.entries(pages).map(([chain, page]) => [chain, new RegExp(`^https://${page}$`)] as const)

/** The chains and the transactions that a link can lead to. */
const readLink = (link: string): ReadonlyArray<readonly [chain: string, transaction: string]> =>
  forms.flatMap(([chain, form]) => {
    const [, transaction] = form.exec(link) ?? []
    return transaction === undefined ? [] : [[chain, transaction] as const]
  })

/** Numbers that are the same at each run. */
const makeRandom = (seed: number) => {
  let state = seed
  return (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor(state / 2 ** 32 * below)
  }
}
const random = makeRandom(45)
const textOf = (characters: string, length: number) =>
  Array.from({ length }, () => characters[random(characters.length)]).join("")

const odd = [
  "",
  "0x",
  "pending",
  "javascript:alert(1)",
  "../../address/1",
  "0".repeat(64),
  "https://evil.example/",
  `${"a".repeat(64)}?x=#`,
  "12-\u0663",
  `0x${"a".repeat(63)}`,
  "{transactionReference}",
]

/** A transaction in one of its spellings, and in the one that its explorer has; or text that is none. */
const reference = (chain: Chain): readonly [text: string, shown: string | undefined] => {
  if (random(5) === 0) return [odd[random(odd.length)] ?? "", undefined]
  const family = chainFacts(chain).family._tag
  if (family === "solana") {
    const text = textOf("123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz", 86 + random(3))
    return [text, text]
  }
  if (family === "substrate") {
    const text = `${random(30_000_000)}-${random(20)}`
    return [text, text]
  }
  const digits = textOf("0123456789abcdef", 64)
  const spelled = random(2) === 0 ? digits : digits.toUpperCase()
  return [
    random(2) === 0 ? spelled : `0x${spelled}`,
    family === "evm" ? `0x${digits}` : family === "xrpl" ? digits.toUpperCase() : digits,
  ]
}

const transfers = ["deposit", "swapEgress", "refundEgress", "fallbackEgress"] as const

/** A swap with any of the four transfers, and what each link has to lead to. */
const swapOf = (id: number) => {
  const assets = assetIds()
  const [sourceAsset, destinationAsset] = [assets[id % assets.length], assets[random(assets.length)]] as const
  if (sourceAsset === undefined || destinationAsset === undefined) throw new Error("There are no assets")
  const made = transfers.filter(() => random(3) > 0).map((name) => {
    const chain = chainOf(name === "deposit" || name === "refundEgress" ? sourceAsset : destinationAsset)
    const [transactionReference, shown] = reference(chain)
    const transfer: Egress = { amount: NativeAmount.make(1n), transactionReference }
    return { name, chain, shown, transfer }
  })
  const status: SwapStatus = {
    ...minimal,
    sourceAsset,
    destinationAsset,
    ...Object.fromEntries(made.map(({ name, transfer }) => [name, transfer])),
  }
  const record: StandingSwap = {
    id: SwapRecordId.make(id),
    platform: ProviderName.make("chainflip"),
    status,
    standing: freshStanding,
  }
  return { record, made }
}

const on = (network: Network | undefined) => ({ networkOf: () => network })

describe("links to explorers", () => {
  it("lead to the transaction and the chain of each transfer of 10,000 swaps, in every form of a record", () => {
    const line = swapLine(on("mainnet"))
    const reached = new Map<string, number>()
    for (let id = 1; id <= 10_000; id += 1) {
      const { made, record } = swapOf(id)
      const { status } = JSON.parse(recordJson(record, on("mainnet")))
      const [row = {}] = parseRows(swapsHead + line(record))
      const summary = summaryOf(record, on("mainnet"))
      const summed = {
        deposit: summary.deposit,
        swapEgress: summary.paidOut,
        refundEgress: summary.refunded,
        fallbackEgress: summary.paidToFallback,
      }
      for (const { chain, name, shown } of made) {
        const link = status[name].transactionUrl
        assert.deepStrictEqual(
          link === undefined ? [] : readLink(link),
          shown === undefined ? [] : [[chain, shown]],
        )
        assert.strictEqual(shown === undefined, link === undefined)
        assert.strictEqual(row[`${name}TransactionUrl`], link ?? "")
        assert.strictEqual(summed[name]?.transactionUrl, link)
        if (link !== undefined) reached.set(`${chain} ${name}`, (reached.get(`${chain} ${name}`) ?? 0) + 1)
      }
      if (id % 10 === 0) {
        for (const network of ["sandbox", undefined] as const) {
          assert.notInclude(recordJson(record, on(network)), "transactionUrl")
        }
      }
    }
    assert.strictEqual(reached.size, Object.keys(builtInChains).length * transfers.length)
  })

  it("lead to test networks where those are known, and nowhere else", () => {
    const text = "ab".repeat(32)
    assert.strictEqual(
      transactionUrl("eth.eth", "testnet", text),
      `https://sepolia.etherscan.io/tx/0x${text}`,
    )
    assert.isUndefined(transactionUrl("sol.sol", "testnet", "2".repeat(87)))
    assert.isUndefined(transactionUrl("doge.doge", "testnet", text))
  })
})

describe("the networks", () => {
  const rows = presentNetworks((id) => `/logos/${id}`, "mainnet")

  it.each(rows.map((row) => [row.name, row] as const))("%s is described whole", (name, row) => {
    const { addressUrlTemplate = "", caip2 = "", explorerUrl = "", transactionUrlTemplate = "" } = row
    assert.strictEqual(chainOf(row.nativeAsset), name)
    assert.match(
      caip2,
      {
        evm: /^eip155:[1-9][0-9]*$/,
        utxo: /^bip122:[0-9a-f]{32}$/,
        solana: /^solana:[1-9A-HJ-NP-Za-km-z]{32}$/,
        tron: /^tron:0x[0-9a-f]{8}$/,
        substrate: /^polkadot:[0-9a-f]{32}$/,
        xrpl: /^xrpl:0$/,
      }[row.kind],
    )
    assert.strictEqual(row.chainId, row.kind === "evm" ? Number(caip2.slice(7)) : undefined)
    assert.strictEqual(
      Number(row.blockSeconds.value) / 10 ** row.blockSeconds.scale,
      chainFacts(name).blockMillis / 1_000,
    )
    const [text, shown] = [reference(name), reference(name), reference(name)].find((one) =>
      one[1] !== undefined
    ) ?? []
    assert.strictEqual(
      transactionUrl(row.nativeAsset, "mainnet", text),
      transactionUrlTemplate.replace("{transactionReference}", shown ?? "?"),
    )
    assert.isTrue(transactionUrlTemplate.startsWith(explorerUrl) && explorerUrl.endsWith("/"))
    assert.isTrue(addressUrlTemplate.startsWith(explorerUrl) && addressUrlTemplate.endsWith("/{address}"))
  })

  it("have facts of their own where the service is for test networks", () => {
    const tests = presentNetworks((id) => `/logos/${id}`, "testnet")
    for (const [index, { caip2, chainId, transactionUrlTemplate }] of tests.entries()) {
      const main = rows[index]
      if (caip2 !== undefined) assert.notStrictEqual(caip2, main?.caip2)
      assert.strictEqual(chainId, caip2?.startsWith("eip155:") === true ? Number(caip2.slice(7)) : undefined)
      if (transactionUrlTemplate !== undefined) {
        assert.notStrictEqual(transactionUrlTemplate, main?.transactionUrlTemplate)
      }
    }
    assert.deepInclude(tests.find(({ name }) => name === "Base"), {
      chainId: 84_532,
      explorerUrl: "https://sepolia.basescan.org/",
      addressUrlTemplate: "https://sepolia.basescan.org/address/{address}",
    })
    assert.notProperty(tests.find(({ name }) => name === "Dash"), "explorerUrl")
  })
})
