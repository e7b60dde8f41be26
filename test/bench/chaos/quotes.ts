import type { Answer } from "../Connection.ts"
import { wireForm } from "../Connection.ts"
import type { Target } from "../load.ts"
import type { RunningService } from "#test/support/process.ts"
import { quoteUrl } from "../quoteUrl.ts"

/** The name in answers of the provider behind each gate. */
export const platforms = { chainflip: "chainflip", nearIntents: "near-intents" } as const

export type Provider = keyof typeof platforms

export const otherThan = (provider: Provider): Provider =>
  provider === "chainflip" ? "nearIntents" : "chainflip"

/** Whether an answer holds quotes of a provider. */
export const quotes = ({ body, status }: Answer, provider: Provider): boolean =>
  status === 200 && body.includes(`"platform":"${platforms[provider]}"`)

/** So many that no answer of before can be used again. */
const amounts = Array.from({ length: 20_000 }, (_, index) => `1.${`${index}`.padStart(5, "0")}`)

/** More than are asked for in the time for which an answer can be used again. */
const apart = 3_000

let begin = 0

/**
 * Requests for quotes of another amount each. The next target begins with others: a service that was asked a
 * moment before would answer the same ones again, whoever is down by then.
 */
export const quoteTarget = ({ apiKey, url }: RunningService): Target => {
  begin = (begin + apart) % amounts.length
  const turned = [...amounts.slice(begin), ...amounts.slice(0, begin)]
  return { url, requests: turned.map((amount) => wireForm(quoteUrl(url, amount), apiKey)) }
}
