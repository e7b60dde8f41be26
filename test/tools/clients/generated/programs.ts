/**
 * A swap by the client of each generator, as somebody writes it who has only what was generated: quotes, channel,
 * deposit, completed. The texts `$URL` and `$KEY` stand for the service and a key of it.
 */

const swap = `
const order = {
  sourceAsset: "btc.btc",
  destinationAsset: "eth.eth",
  destinationAddress: "0x2222222222222222222222222222222222222222",
} as const
const refundAddress = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"
const whole = <A>(data: A | undefined, error?: unknown): A => {
  if (data === undefined) throw new Error(JSON.stringify(error))
  return data
}
const run = async () => {
  const [quote] = await quotes()
  const channel = await open(whole(quote).quoteId)
  const price: number = whole(quote).estimatedPrice
  await deposit(channel.address)
  for (let looks = 0; looks < 200; looks++) {
    const { state, swapEgress } = await status(channel.id)
    if (state === "completed") return console.log(state, price, whole(swapEgress).amountNative)
    await advance(60)
  }
  throw new Error("it does not complete")
}
run()
`

export interface Generator {
  readonly name: string
  /** Its program below `node_modules/.bin` and what it is called with, in the folder that has `openapi.json`. */
  readonly command: readonly [program: string, ...args: ReadonlyArray<string>]
  /** What it reads besides. */
  readonly files?: Readonly<Record<string, string>>
  readonly program: string
}

export const generators: ReadonlyArray<Generator> = [
  {
    name: "openapi-typescript",
    command: ["openapi-typescript", "openapi.json", "-o", "schema.d.ts"],
    program: `
import createClient from "openapi-fetch"
import type { components, paths } from "./schema"

const client = createClient<paths>({ baseUrl: "$URL", headers: { "X-API-Key": "$KEY" } })
const quotes = async (): Promise<components["schemas"]["Quote"][]> => {
  const { data, error } = await client.GET("/quotes", { params: { query: { ...order, amount: 0.05 } } })
  return whole(data, error)
}
const open = async (quoteId: string): Promise<components["schemas"]["DepositChannel"]> => {
  const { data, error } = await client.GET("/swap", { params: { query: { ...order, refundAddress, quoteId } } })
  return whole(data, error)
}
const deposit = async (address: string) => {
  const { data, error } = await client.POST("/sandbox/deposits", { body: { address, amount: 0.05 } })
  return whole(data, error)
}
const advance = async (advanceSeconds: number) => {
  const { data, error } = await client.POST("/sandbox/time", { body: { advanceSeconds } })
  return whole(data, error)
}
const status = async (swapId: number): Promise<components["schemas"]["SwapStatus"]> => {
  const { data, error } = await client.GET("/status-by-id", { params: { query: { swapId } } })
  return whole(data, error).status
}
${swap}`,
  },
  {
    name: "hey-api",
    command: ["openapi-ts", "-i", "openapi.json", "-o", "hey", "-c", "@hey-api/client-fetch"],
    program: `
import { client } from "./hey/client.gen"
import * as sdk from "./hey"
import type { DepositChannel, Quote, SwapStatus } from "./hey"

client.setConfig({ baseUrl: "$URL", auth: ({ name }) => name === "X-API-Key" ? "$KEY" : undefined })
const quotes = async (): Promise<Quote[]> => {
  const { data, error } = await sdk.getQuotes({ query: { ...order, amount: 0.05 } })
  return whole(data, error)
}
const open = async (quoteId: string): Promise<DepositChannel> => {
  const { data, error } = await sdk.openSwap({ query: { ...order, refundAddress, quoteId } })
  return whole(data, error)
}
const deposit = async (address: string) => {
  const { data, error } = await sdk.createSandboxDeposit({ body: { address, amount: 0.05 } })
  return whole(data, error)
}
const advance = async (advanceSeconds: number) => {
  const { data, error } = await sdk.advanceSandboxTime({ body: { advanceSeconds } })
  return whole(data, error)
}
const status = async (swapId: number): Promise<SwapStatus> => {
  const { data, error } = await sdk.getStatusById({ query: { swapId } })
  return whole(data, error).status
}
${swap}`,
  },
  {
    name: "orval",
    command: ["orval", "--config", "orval.config.cjs"],
    files: {
      "orval.config.cjs": `module.exports = {
  broker: {
    input: { target: "./openapi.json" },
    output: { target: "./client.ts", client: "fetch", mode: "single", baseUrl: "$URL" },
  },
}
`,
    },
    program: `
import * as api from "./client"
import type { DepositChannel, Quote, SwapStatus } from "./client"

const asAccount = { headers: { "X-API-Key": "$KEY" } }
const quotes = async (): Promise<Quote[]> => {
  const answer = await api.getQuotes({ ...order, amount: 0.05 }, asAccount)
  return whole(answer.status === 200 ? answer.data : undefined, answer)
}
const open = async (quoteId: string): Promise<DepositChannel> => {
  const answer = await api.openSwap({ ...order, refundAddress, quoteId }, asAccount)
  return whole(answer.status === 200 ? answer.data : undefined, answer)
}
const deposit = async (address: string) => {
  const answer = await api.createSandboxDeposit({ address, amount: 0.05 }, asAccount)
  return whole(answer.status === 202 ? answer.data : undefined, answer)
}
const advance = async (advanceSeconds: number) => {
  const answer = await api.advanceSandboxTime({ advanceSeconds }, asAccount)
  return whole(answer.status === 200 ? answer.data : undefined, answer)
}
const status = async (swapId: number): Promise<SwapStatus> => {
  const answer = await api.getStatusById({ swapId }, asAccount)
  return whole(answer.status === 200 ? answer.data : undefined, answer).status
}
${swap}`,
  },
]
