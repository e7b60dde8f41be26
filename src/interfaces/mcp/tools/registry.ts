import type { Tool } from "../Tool.ts"
import { explainSwap } from "./explainSwap.ts"
import { getPayment } from "./getPayment.ts"
import { getQuotes } from "./getQuotes.ts"
import { getSwap } from "./getSwap.ts"
import { listAssets } from "./listAssets.ts"
import { listSwaps } from "./listSwaps.ts"
import { openSwap } from "./openSwap.ts"
import { prepareSwap } from "./prepareSwap.ts"
import { sandboxAdvance } from "./sandboxAdvance.ts"

type ServicesOf<T> = T extends Tool<infer R> ? R : never

const tools = [listAssets, getQuotes, prepareSwap, openSwap, getPayment, getSwap, listSwaps, explainSwap]

export type Services = ServicesOf<typeof tools[number] | ReturnType<typeof sandboxAdvance>>

/** Every tool, in the order in which they are listed; that of the sandbox where `sandboxUrl` is given. */
export const toolsOf = (sandboxUrl: URL | undefined): ReadonlyArray<Tool<Services>> => [
  ...tools,
  ...(sandboxUrl === undefined ? [] : [sandboxAdvance(sandboxUrl)]),
]
