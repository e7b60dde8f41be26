import { assert, layer } from "#test/support/it.ts"
import { Effect, Schedule } from "effect"
import { brokerInProcess, testKey } from "#test/support/broker.ts"
import { ask, list, type Members, members } from "#test/interfaces/http/asking.ts"

/** Addresses of the sandbox's own settings are on every network, so any other is nobody's. */
const evm = (number: number) => `0x${number.toString(16).padStart(40, "1")}`

const usdcOf = { provider: "chainflip", asset: "usdc.eth" }

const sandboxBroker = Effect.map(ask("GET", "/sandbox"), ({ body }) => members(body, "broker"))

const shift = (difference: string) =>
  ask("PATCH", "/sandbox/network", { change: "shiftEarned", asset: "usdc.eth", difference })

const treasuryOf = (provider: string) =>
  Effect.map(ask("GET", "/operator/treasury"), ({ body }) => {
    const found = list(body).find((one) => one.provider === provider)
    return found ?? assert.fail(`Nothing is known of ${provider}`)
  })

const assetsOf = (treasury: Members): ReadonlyMap<unknown, Members> =>
  new Map(list(treasury.assets).map((one) => [one.asset, one]))

/** What becomes true within a minute. */
const within = <A, R>(read: Effect.Effect<A, never, R>, holds: (value: A) => boolean) =>
  Effect.repeat(read, {
    until: holds,
    schedule: Schedule.spaced("200 millis"),
    times: 300,
  })

/** What a list of holdings has of USDC. */
const amountIn = (holdings: unknown): bigint =>
  list(holdings).flatMap(({ amountNative, amount, asset }) =>
    asset === "usdc.eth" ? [BigInt(`${amountNative ?? amount}`)] : []
  )[0] ?? 0n

const affiliateNames = ["wallet-one", "wallet-two", "wallet-three"]

const bitcoinAddress = "bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080"

/** A swap of each kind that the providers have: from a deposit channel, or by a payload of this kind. */
const routes = [
  { platform: "chainflip", pair: ["eth.eth", "usdc.arb"], least: 0.4 },
  { platform: "near-intents", pair: ["eth.eth", "btc.btc"], least: 0.5 },
  { platform: "chainflip", pair: ["btc.btc", "eth.eth"], least: 0.02 },
  { platform: "relay", pair: ["eth.eth", "btc.btc"], least: 0.6 },
  { platform: "chainflip", pair: ["eth.arb", "usdc.eth"], least: 0.3, payload: "evm" },
  { platform: "thorchain", pair: ["btc.btc", "eth.eth"], least: 0.05, payload: "bitcoin" },
  { platform: "chainflip", pair: ["usdc.eth", "eth.eth"], least: 700 },
  { platform: "maya", pair: ["eth.eth", "btc.btc"], least: 0.7, payload: "evm" },
] as const
type Route = typeof routes[number]

/** Commission, and affiliates where the provider shares it with any. */
const commissionOf = ({ platform }: Route, number: number) => ({
  commissionBps: `${number % 50}`,
  ...(platform !== "chainflip" ? {} : Object.fromEntries(
    affiliateNames.slice(0, Math.floor(number / routes.length) % 4).flatMap((name, index) => [
      [`affiliate${index + 1}`, name],
      [`affiliate${index + 1}CommissionBps`, `${number % 7 + index}`],
    ]),
  )),
})

/** The request of a swap: everything depends on its number. */
const swapOf = (number: number) => {
  const route = routes[number % routes.length] ?? routes[0]
  const [sourceAsset, destinationAsset] = route.pair
  const amount = (route.least * (1 + number / 10_000)).toFixed(6)
  const parameters = {
    sourceAsset,
    destinationAsset,
    platform: route.platform,
    destinationAddress: destinationAsset === "btc.btc" ? bitcoinAddress : evm(number),
    ...commissionOf(route, number),
  }
  return { route, amount, parameters }
}

/** Opens a channel, and deposits into it. */
const deposit = Effect.fnUntraced(function* (number: number) {
  const { amount, parameters, route } = swapOf(number)
  const stated = route.platform === "chainflip" ? {} : { amount }
  const opened = yield* ask("GET", `/swap?${new URLSearchParams({ ...parameters, ...stated })}`)
  assert.strictEqual(opened.status, 200, opened.text)
  const { address } = members(opened.body)
  const deposited = yield* ask("POST", "/sandbox/deposits", { address, amount })
  assert.isBelow(deposited.status, 300, deposited.text)
})

/** A key of a new account. An upstream is asked about transactions only where the account has payloads of it. */
const newKey = Effect.fnUntraced(function* (name: string) {
  const created = yield* ask("POST", "/operator/accounts", { name, commissionBps: 0 })
  assert.strictEqual(created.status, 201, created.text)
  const issued = yield* ask("POST", `/operator/accounts/${name}/keys`, {})
  return `${members(issued.body).key}`
})

/** Sends the transaction of a payload: its hash, by which its swap is known once it was asked for. */
const send = Effect.fnUntraced(function* (number: number, kind: string, key: string) {
  const { amount, parameters } = swapOf(number)
  const query = new URLSearchParams({
    ...parameters,
    amount,
    refundAddress: parameters.sourceAsset === "btc.btc" ? bitcoinAddress : evm(number),
  })
  const made = yield* ask("GET", `/tx-payload/${kind}?${query}`, undefined, key)
  assert.strictEqual(made.status, 200, made.text)
  const sent = yield* ask("POST", "/sandbox/vault-swaps", { payload: made.body })
  assert.isBelow(sent.status, 300, sent.text)
  return { hash: members(sent.body).transactionHash, key }
})

const advance = (advanceSeconds: number) => ask("POST", "/sandbox/time", { advanceSeconds })

/** Asks for the swap of a transaction, which makes its record, until an upstream has answered in time. */
const known = ({ hash, key }: { readonly hash: unknown; readonly key: string }) =>
  Effect.map(
    within(
      ask("GET", `/status-by-transaction-hash?transactionHash=${hash}`, undefined, key),
      ({ status }) => status === 200,
    ),
    ({ status, text }) => assert.strictEqual(status, 200, text),
  )

/** How many swaps are made: `TEST_TREASURY_SWAPS=1000` takes minutes. */
const many = Number(Deno.env.get("TEST_TREASURY_SWAPS") ?? "40")

const open = ["waiting", "receiving", "swapping", "sending", "sent"].map((state) => `status=${state}`)

/** Asks for every swap of an account that has not come to its end, sooner than the tracker would: how many there are. */
const askOpen = Effect.fnUntraced(function* (key: string) {
  const { body } = yield* ask("GET", `/swaps?${open.join("&")}&limit=500`, undefined, key)
  const swaps = list(body)
  yield* Effect.forEach(swaps, ({ id }) => ask("GET", `/status-by-id?swapId=${id}`, undefined, key), {
    concurrency: 8,
    discard: true,
  })
  return swaps.length
})

/** Every provider has carried out swaps with a commission. */
const assertCommissions = Effect.fnUntraced(function* (keys: ReadonlyArray<string>) {
  const answers = yield* Effect.forEach(
    keys,
    (key) => ask("GET", "/swaps?limit=500&status=completed", undefined, key),
  )
  const paid = answers.flatMap(({ body }) => list(body)).flatMap((record) => {
    const [broker] = list(members(record.status).brokers)
    return Number(broker?.commissionBps ?? 0) > 0 ? [record.platform] : []
  })
  assert.deepStrictEqual(new Set(paid), new Set(routes.map(({ platform }) => platform)))
})

/** What 1Click and Relay have paid is what the sums of commission say, in each asset: to us, and to 1Click itself. */
const assertReceived = Effect.gen(function* () {
  const { commission, timeMillis } = members((yield* ask("GET", "/sandbox")).body)
  const day = (days: number) => new Date(Number(timeMillis) + days * 86_400_000).toISOString().slice(0, 10)
  const { body } = yield* ask("GET", `/operator/commission?from=${day(-9)}&to=${day(1)}&by=platform`)
  const paid = list(commission)
  const told = list(members(body).sums).filter(({ platform }) =>
    platform === "near-intents" || platform === "relay"
  )
  assert.isAtLeast(told.length, 2)
  for (const { amountNative, asset, chargedNative, isEstimate, keptNative, platform } of told) {
    const of = (isOwn: boolean) =>
      paid.filter((one) =>
        one.provider === platform && one.asset === asset && /^5880/.test(`${one.account}`) === isOwn
      )
        .reduce((sum, { amount }) => sum + BigInt(`${amount}`), 0n)
    assert.deepStrictEqual(
      [amountNative, keptNative, chargedNative, isEstimate],
      [`${of(false)}`, `${of(true)}`, `${of(false) + of(true)}`, false],
    )
  }
})

layer(
  brokerInProcess({
    // Time stands still while swaps are opened, however slow the machine is, and is moved on then.
    SANDBOX_SPEED: "0",
    TRACKER_INTERVAL: "100 millis",
    BOOTSTRAP_COMMISSION_BPS: "0",
    PROVIDERS: "chainflip,near-intents,relay,thorchain,maya",
  }),
  { excludeTestServices: true },
)("The treasury in the sandbox", (it) => {
  it.effect(
    `has earned what ${many} swaps of all providers say, to the last unit, and tells of one unit more`,
    function* () {
      for (const [index, name] of affiliateNames.entries()) {
        const registered = yield* ask("POST", "/operator/treasury/affiliates", {
          provider: "chainflip",
          name,
          withdrawalAddress: evm(9_000 + index),
        })
        assert.strictEqual(registered.status, 201, registered.text)
      }
      const keys = new Map(
        yield* Effect.forEach(
          ["chainflip", "thorchain", "maya"] as const,
          (platform) =>
            Effect.map(newKey(`payloads-${platform}`), (key): [string, string] => [platform, key]),
        ),
      )
      const everyKey = [testKey, ...keys.values()]
      const sent = yield* Effect.forEach(
        Array.from({ length: many }, (_, number) => number),
        (number) => {
          const { route } = swapOf(number)
          return "payload" in route
            ? Effect.map(send(number, route.payload, keys.get(route.platform) ?? ""), (sent) => [sent])
            : Effect.as(deposit(number), [])
        },
        { concurrency: 8 },
      )
      // Of a transaction that nobody asks for there is no record; of one in no block yet few are asked upstream.
      yield* advance(7_200)
      yield* Effect.forEach(sent.flat(), known, { concurrency: 8, discard: true })
      const left = Effect.map(
        Effect.forEach(everyKey, askOpen),
        (counts) => counts.reduce((sum, count) => sum + count, 0),
      )
      const rest = yield* within(Effect.andThen(advance(120), left), (left) => left === 0)
      assert.strictEqual(rest, 0, "Some swaps have not come to their end")
      const chainflip = yield* within(
        treasuryOf("chainflip"),
        (treasury) => assetsOf(treasury).get("usdc.eth")?.differenceNative === "0",
      )
      const usdc = assetsOf(chainflip).get("usdc.eth")
      const { affiliates, earned } = yield* sandboxBroker
      const sharesOf = list(affiliates).map(({ earned }) => amountIn(earned))
      const own = amountIn(earned)
      const shares = sharesOf.reduce((sum, share) => sum + share, 0n)
      assert.isTrue(own > 0n && sharesOf.length === 3 && sharesOf.every((share) => share > 0n))
      assert.deepStrictEqual(
        [usdc?.earnedNative, usdc?.ofAffiliatesNative, usdc?.ledgerNative, usdc?.mismatchSince],
        [`${own}`, `${shares}`, `${own + shares}`, undefined],
      )
      // The accounts that can be asked: THORChain, Maya and 1Click pay a share out at once, and tell of no account.
      const accounts = list((yield* ask("GET", "/operator/treasury")).body)
      assert.deepStrictEqual(
        accounts.map(({ notCompared, provider }) => [provider, typeof notCompared]),
        [["chainflip", "undefined"], ["relay", "string"]],
      )
      yield* assertCommissions(everyKey)
      yield* assertReceived

      yield* shift("1")
      const told = yield* within(
        treasuryOf("chainflip"),
        (treasury) => assetsOf(treasury).get("usdc.eth")?.mismatchSince !== undefined,
      )
      const mismatch = assetsOf(told).get("usdc.eth")
      assert.deepStrictEqual([mismatch?.differenceNative, typeof mismatch?.mismatchSince], ["1", "number"])
      yield* ask("POST", "/operator/treasury/entries", { ...usdcOf, amountNative: "1", reason: "the test's" })
      const explained = yield* within(
        treasuryOf("chainflip"),
        (treasury) => assetsOf(treasury).get("usdc.eth")?.mismatchSince === undefined,
      )
      const { differenceNative, mismatchSince } = assetsOf(explained).get("usdc.eth") ?? {}
      assert.deepStrictEqual([differenceNative, mismatchSince], ["0", undefined])
    },
    400_000,
  )
})
