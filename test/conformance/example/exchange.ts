/**
 * A made-up upstream: `handle` answers its API, `deposit` and `payOut` are what happens on the chains. Amounts are digits
 * of the smallest unit, times epoch milliseconds. Make it answer as the real one does.
 */

const listed = [
  { token: "bitcoin", decimals: 8, cents: 6_000_000n, minimum: 10_000n },
  { token: "ethereum", decimals: 18, cents: 200_000n, minimum: 10n ** 15n },
  {
    token: "ethereum:0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48",
    decimals: 6,
    cents: 100n,
    minimum: 1_000_000n,
  },
] as const

interface Transfer {
  readonly amount: string
  readonly hash: string
}

interface Order {
  readonly terms: Readonly<Record<string, string>>
  readonly number: string
  readonly depositAddress: string
  readonly createdAt: number
  readonly expiresAt: number
  status: string
  deposit?: Transfer
  payout?: Transfer
  refund?: Transfer
}

/** What it answers instead, until it heals. */
export type Trouble = { readonly status: number; readonly body: unknown } | "cut"

const seconds = 300

const json = (status: number, body: unknown): Response => Response.json(body, { status })

const refuse = (code: string, limit?: bigint): Response =>
  json(400, { code, message: `no: ${code}`, ...(limit === undefined ? {} : { limit: `${limit}` }) })

const hex = (number: number, digits: number): string => number.toString(16).padStart(digits, "0")

const hashOn = (token: string, number: number): string =>
  `${token === "bitcoin" ? "" : "0x"}f00d${hex(number, 60)}`

/** Addresses that are on their chains: on Bitcoin the first of the two is. */
const addressOn = (token: string, number: number): string =>
  token === "bitcoin"
    ? [
      "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq",
      "bc1q9vza2e8x573nczrlzms0wvx3gsqjx7vavgkx0l",
    ][number % 2] ?? ""
    : `0x${hex(number, 2).repeat(20)}`

const isFields = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null

const textOf = (fields: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, `${value}`]))

export const makeExchange = (key: string, now: () => number = Date.now) => {
  const orders: Array<Order> = []
  let transactions = 0
  let trouble: Trouble | undefined

  const quoteOf = (
    { amount = "", commissionBps = "", from = "", to = "" }: Readonly<Record<string, string>>,
  ) => {
    const source = listed.find(({ token }) => token === from)
    const destination = listed.find(({ token }) => token === to)
    if (source === undefined || destination === undefined || source === destination) {
      return refuse("asset_not_served")
    }
    if (BigInt(amount) < source.minimum) return refuse("amount_too_small", source.minimum)
    const gross = BigInt(amount) * source.cents * 10n ** BigInt(destination.decimals) /
      (destination.cents * 10n ** BigInt(source.decimals))
    const commission = gross * BigInt(commissionBps) / 10_000n
    const paid = { amountOut: `${gross - commission}`, commission: `${commission}` }
    return { from, to, amount, commissionBps, ...paid, seconds }
  }

  const written = ({ terms, ...order }: Order) => ({ ...terms, ...order, seconds })

  const open = (terms: Readonly<Record<string, string>>): Response => {
    const quote = quoteOf(terms)
    if (quote instanceof Response) return quote
    const number = orders.length + 1
    const order: Order = {
      terms,
      number: `${number}`,
      depositAddress: addressOn(quote.from, number),
      createdAt: now(),
      expiresAt: now() + 3_600_000,
      status: "awaiting-deposit",
    }
    orders.push(order)
    return json(201, written(order))
  }

  const answer = async (request: Request): Promise<Response> => {
    const { pathname, searchParams } = new URL(request.url)
    if (request.headers.get("authorization") !== `Bearer ${key}`) return json(401, {})
    const [, , collection, id = ""] = pathname.split("/")
    if (collection === "assets") {
      return json(
        200,
        listed.map(({ minimum, ...asset }) => ({ ...asset, cents: undefined, minimum: `${minimum}` })),
      )
    }
    if (collection === "quote") {
      const quote = quoteOf(Object.fromEntries(searchParams))
      return quote instanceof Response ? quote : json(200, quote)
    }
    if (request.method === "POST") {
      const body: unknown = await request.json()
      return isFields(body) ? open(textOf(body)) : json(400, {})
    }
    const found = orders.find(({ number }) => number === id)
    return found === undefined ? json(404, {}) : json(200, written(found))
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
      const hash = hashOn(order.terms["from"] ?? "", ++transactions)
      Object.assign(order, { status: "confirming", deposit: { amount: `${amount}`, hash } })
      return hash
    },
    /** The end of an order with a deposit: its output, or the deposit again where that is below the limit; the hash. */
    payOut: (address: string): string => {
      const order = orderAt(address)
      const { from = "", minimumOut = "", to = "" } = order.terms
      const amount = order.deposit?.amount ?? "0"
      const quote = quoteOf({ ...order.terms, amount })
      const isMet = !(quote instanceof Response) && BigInt(quote.amountOut) >= BigInt(minimumOut)
      const hash = hashOn(isMet ? to : from, ++transactions)
      Object.assign(
        order,
        isMet
          ? { status: "done", payout: { amount: quote.amountOut, hash } }
          : { status: "refunded", refund: { amount, hash } },
      )
      return hash
    },
    openings: (): number => orders.length,
    rename: (status: string): void => orders.forEach((order) => Object.assign(order, { status })),
    be: (next: Trouble | undefined): void => {
      trouble = next
    },
  }
}
