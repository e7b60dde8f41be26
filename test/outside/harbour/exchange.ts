import { bech32 } from "@scure/base"

/**
 * A tiny exchange, as a stranger's upstream: `handle` answers its API, `deposit` and `payOut` are what happens on the
 * chains. Amounts are digits of the smallest unit, times epoch milliseconds.
 */

const listed = [
  { token: "gnosis", decimals: 18, microdollars: 1_000_000n },
  { token: "gnosis:0xddafbb505ad214d7b80b1f830fccc89b60fb7a83", decimals: 6, microdollars: 1_000_000n },
  { token: "vertcoin", decimals: 8, microdollars: 50_000n },
  // Of a chain that the rows lack, and with other decimals than its row: both are left out.
  { token: "fantom", decimals: 18, microdollars: 300_000n },
  { token: "ethereum", decimals: 9, microdollars: 2_000_000_000n },
]

const minimum = 1_000n

interface Order {
  readonly number: number
  readonly from: string
  readonly to: string
  readonly amount: string
  readonly recipient: string
  readonly refundTo: string
  readonly commissionBps: number
  readonly minimumOut: string
  readonly depositAddress: string
  readonly createdAt: number
  readonly expiresAt: number
  status: string
  deposit: { amount: string; hash: string } | null
  payout: { amount: string; hash: string; commission: string } | null
  refund: { amount: string; hash: string } | null
}

/** What an exchange answers instead, until it heals. */
export type Trouble = { readonly status: number; readonly body: unknown } | "cut"

const json = (status: number, body: unknown): Response => Response.json(body, { status })

const refuse = (code: string, limit?: bigint): Response =>
  json(400, { code, message: `no: ${code}`, limit: limit === undefined ? null : `${limit}` })

const scale = (amount: bigint, from: typeof listed[number], to: typeof listed[number]): bigint =>
  amount * from.microdollars * 10n ** BigInt(to.decimals) / (to.microdollars * 10n ** BigInt(from.decimals))

const hex = (number: number, digits: number): string => number.toString(16).padStart(digits, "0")

/** A hash as the chain of the token writes it. */
const hashOn = (token: string, number: number): string =>
  token === "vertcoin" ? `f00d${hex(number, 60)}` : `0xf00d${hex(number, 60)}`

const addressOn = (token: string, number: number): string =>
  token === "vertcoin"
    ? bech32.encode("vtc", [0, ...bech32.toWords(new Uint8Array(20).fill(number))])
    : `0x${hex(number, 2).repeat(20)}`

const isFields = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null

export const makeExchange = (key: string, now: () => number = Date.now) => {
  const orders: Array<Order> = []
  let transactions = 0
  let trouble: Trouble | undefined
  const earned = new Map<string, bigint>()

  const quoteOf = (asked: Record<string, unknown>) => {
    const from = listed.find(({ token }) => token === asked["from"])
    const to = listed.find(({ token }) => token === asked["to"])
    if (from === undefined || to === undefined || from === to) return refuse("asset_not_served")
    const amount = BigInt(`${asked["amount"]}`)
    if (amount < minimum) return refuse("amount_too_small", minimum)
    const gross = scale(amount, from, to)
    const commission = gross * BigInt(`${asked["commissionBps"]}`) / 10_000n
    return {
      from: from.token,
      to: to.token,
      amountIn: `${amount}`,
      commissionBps: Number(asked["commissionBps"]),
      amountOut: `${gross - commission}`,
      commission: `${commission}`,
      seconds: 300,
    }
  }

  const open = (asked: Record<string, unknown>): Response => {
    const quote = quoteOf(asked)
    if (quote instanceof Response) return quote
    const number = orders.length + 1
    const order: Order = {
      number,
      from: `${asked["from"]}`,
      to: `${asked["to"]}`,
      amount: `${asked["amount"]}`,
      recipient: `${asked["recipient"]}`,
      refundTo: `${asked["refundTo"]}`,
      commissionBps: Number(asked["commissionBps"]),
      minimumOut: `${asked["minimumOut"]}`,
      depositAddress: addressOn(`${asked["from"]}`, number),
      createdAt: now(),
      expiresAt: now() + 3_600_000,
      status: "awaiting-deposit",
      deposit: null,
      payout: null,
      refund: null,
    }
    orders.push(order)
    return json(201, order)
  }

  const answer = async (request: Request): Promise<Response> => {
    const { pathname, searchParams } = new URL(request.url)
    if (request.headers.get("authorization") !== `Bearer ${key}`) return json(401, {})
    const [, , collection, id = ""] = pathname.split("/")
    if (collection === "assets") {
      return json(
        200,
        listed.map(({ microdollars, ...rest }) => ({
          ...rest,
          minimum: `${minimum}`,
          dollars: `${Number(microdollars) / 1e6}`,
        })),
      )
    }
    if (collection === "quote") {
      const quote = quoteOf(Object.fromEntries(searchParams))
      return quote instanceof Response ? quote : json(200, quote)
    }
    if (collection === "account") {
      return json(200, [...earned].map(([token, amount]) => ({ token, amount: `${amount}` })))
    }
    if (request.method === "POST") {
      const body: unknown = await request.json()
      return isFields(body) ? open(body) : json(400, {})
    }
    const found = orders.find(({ deposit, number }) =>
      collection === "orders" ? `${number}` === id : deposit?.hash === id
    )
    return found === undefined ? json(404, {}) : json(200, found)
  }

  const orderAt = (address: string): Order => {
    const order = orders.find(({ depositAddress }) => depositAddress === address)
    if (order === undefined) throw new RangeError(`There is no order at ${address}`)
    return order
  }

  return {
    /** Answers a request of the API. What was asked is done, though its answer is lost. */
    handle: async (request: Request): Promise<Response> => {
      if (trouble !== undefined && trouble !== "cut") return json(trouble.status, trouble.body)
      const answered = await answer(request)
      if (trouble === "cut") throw new TypeError("connection reset by peer")
      return answered
    },
    /** A payer's transaction; its hash. */
    deposit: (address: string, amount: bigint): string => {
      const order = orderAt(address)
      const hash = hashOn(order.from, ++transactions)
      Object.assign(order, { status: "confirming", deposit: { amount: `${amount}`, hash } })
      return hash
    },
    /** The end of an order with a deposit: its output, or the deposit again where that is below the limit; the hash. */
    payOut: (address: string): string => {
      const order = orderAt(address)
      const quote = quoteOf({ ...order, amount: order.deposit?.amount ?? "0" })
      const isMet = !(quote instanceof Response) && BigInt(quote.amountOut) >= BigInt(order.minimumOut)
      const hash = hashOn(isMet ? order.to : order.from, ++transactions)
      if (isMet) {
        earned.set(order.to, (earned.get(order.to) ?? 0n) + BigInt(quote.commission))
        Object.assign(order, {
          status: "done",
          payout: { amount: quote.amountOut, hash, commission: quote.commission },
        })
      } else {
        Object.assign(order, { status: "refunded", refund: { amount: order.deposit?.amount, hash } })
      }
      return hash
    },
    openings: (): number => orders.length,
    rename: (status: string): void => orders.forEach((order) => Object.assign(order, { status })),
    be: (next: Trouble | undefined): void => {
      trouble = next
    },
  }
}
