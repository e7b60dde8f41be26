import { at, find, isObject, type Json, objectAt, parseJson, textAt } from "#test/contract/support/Json.ts"
import type { Request } from "./readCurl.ts"
import { type PageSample, pageSamples, writeJson } from "./pageSamples.ts"

/** What came of a sample. */
export interface Ran {
  readonly sample: PageSample
  readonly status: number
  readonly contentType: string
  readonly text: string
}

/**
 * What a sample may be refused with: the swap of the samples is at a provider that cannot look again, its end is not
 * disputed, and when they run nothing has been earned that could be withdrawn.
 */
const refusals: Readonly<Record<string, ReadonlyArray<number>>> = {
  acceptEnd: [409],
  reindexSwap: [409],
  withdraw: [404, 409],
  withdrawShare: [404, 409],
  getWithdrawal: [404],
  decideWithdrawal: [404],
  registerAffiliate: [404],
  enterIntoLedger: [404, 409],
}

/** Whether a sample was refused as it has to be where it runs. */
export const isAtAnother = ({ sample: { operationId }, status }: Ran): boolean =>
  refusals[operationId]?.includes(status) === true

/** Whether a sample failed that has to succeed. */
export const isRefused = (one: Ran): boolean => !isAtAnother(one) && (one.status < 200 || one.status > 299)

/** What a page cannot know, and its reader puts in. */
export interface Reader {
  readonly url: URL
  readonly key: string
  /** Where webhooks of the reader's are. */
  readonly webhookUrl: string
}

/** Where the values of parameters come from, as the links of the document say; the first one, where there are several. */
interface Source {
  readonly operationId: string
  readonly parameters: Readonly<Record<string, Json>>
}

const sourcesOf = (document: Json): ReadonlyMap<string, Source> =>
  new Map(
    Object.values(objectAt(document, "paths")).flatMap((operations) => Object.values(objectAt(operations)))
      .flatMap((operation) =>
        Object.values(objectAt(operation, "responses")).flatMap((response) => {
          const links = find(response, "links")
          return isObject(links)
            ? Object.values(links).map((link): readonly [string, Source] => [textAt(link, "operationId"), {
              operationId: textAt(operation, "operationId"),
              parameters: objectAt(link, "parameters"),
            }])
            : []
        })
      ).toReversed(),
  )

/** Simulated blocks have to pass before the network knows a deposit. */
const before: Readonly<Record<string, ReadonlyArray<string>>> = {
  getStatusByTransactionHash: ["createSandboxVaultSwap", "advanceSandboxTime"],
  advanceSandboxTime: ["createSandboxDeposit", "createSandboxVaultSwap"],
  // A code is gone with the deposit.
  createSandboxDeposit: ["openSwap", "getPaymentCode"],
  moveSwap: ["createAccount"],
  createSandboxVaultSwap: ["getEvmPayload"],
}

/** Members of bodies that stand for what another answer said, which no link can express. */
const bodyMember: Readonly<Record<string, (answer: (operationId: string) => Json) => Json>> = {
  createSandboxDeposit: (answer) => ({ address: at(answer("openSwap"), "address") }),
  createSandboxVaultSwap: (answer) => ({ payload: answer("getEvmPayload") }),
}

const textOf = (value: Json): string => typeof value === "string" ? value : writeJson(value)

/** Reads an answer; of a stream of events, which has no end, as much as is wanted. */
const read = async (response: Response, isEnough: (text: string) => boolean): Promise<string> => {
  if (response.headers.get("content-type") !== "text/event-stream") return await response.text()
  const reader = (response.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream()).getReader()
  let text = ""
  do text += (await reader.read()).value ?? ""
  while (!isEnough(text))
  await reader.cancel()
  return text
}

const pathOf = (template: string, values: Readonly<Record<string, string>>): string =>
  template.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(values[name] ?? ""))

/** The request that the page sends. */
export const requestOf = (sample: PageSample, { key, url: base }: Pick<Reader, "key" | "url">): Request => {
  const url = new URL(pathOf(sample.template, sample.path), base)
  for (const [name, value] of sample.query) url.searchParams.append(name, value)
  return {
    method: sample.method,
    url: url.href,
    headers: {
      ...sample.headers,
      ...(sample.hasKey ? { "x-api-key": key } : {}),
      ...(sample.body === undefined ? {} : { "content-type": "application/json" }),
    },
    body: sample.body === undefined ? undefined : writeJson(sample.body),
  }
}

/** Sends one as the page does. */
export const send = async (
  sample: PageSample,
  reader: Reader,
  isEnough: (text: string) => boolean = () => true,
): Promise<Ran> => {
  const { url, body, ...request } = requestOf(sample, reader)
  const response = await fetch(url, { ...request, ...(body === undefined ? {} : { body }) })
  const contentType = (response.headers.get("content-type") ?? "").replace(/;.*$/s, "")
  return { sample, status: response.status, contentType, text: await read(response, isEnough) }
}

/** What is there is looked at before it is taken away. */
const order = ["POST", "PUT", "PATCH", "GET", "DELETE"]
const rankOf = ({ method }: PageSample): number => order.indexOf(method)

/** A step of a JSON pointer: digits lead into a list. */
const stepOf = (step: string): string | number => /^[0-9]+$/.test(step) ? Number(step) : step

/**
 * Runs every sample of the page once, as it stands but for what only its reader knows: the key, where webhooks lead, and
 * ids, which are taken from the answers that the document's links name.
 */
export const runSamples = async (document: Json, reader: Reader): Promise<ReadonlyArray<Ran>> => {
  const samples = new Map(pageSamples(document).map((sample) => [sample.operationId, sample]))
  const sources = sourcesOf(document)
  const done = new Map<string, Ran>()

  const answerOf = (operationId: string): Json => parseJson(done.get(operationId)?.text ?? "null")

  const valueOf = (source: Source, expression: string): string => {
    const [, member] = /^\$response\.body#\/(.+)$/.exec(expression) ?? []
    if (member !== undefined) {
      return textOf(at(answerOf(source.operationId), ...member.split("/").map(stepOf)))
    }
    const [, parameter = ""] = /^\$request\.path\.(.+)$/.exec(expression) ?? []
    return done.get(source.operationId)?.sample.path[parameter] ?? ""
  }

  const filled = (sample: PageSample): PageSample => {
    const source = sources.get(sample.operationId)
    const values = source === undefined ? {} : Object.fromEntries(
      Object.entries(source.parameters).map((
        [name, expression],
      ) => [name, valueOf(source, textOf(expression))]),
    )
    const member = bodyMember[sample.operationId]
    const own = member === undefined ? {} : objectAt(member(answerOf))
    const place = isObject(sample.body) && "url" in sample.body ? { url: reader.webhookUrl } : {}
    const withKey = "apiKey" in sample.path ? { apiKey: reader.key } : {}
    return {
      ...sample,
      path: {
        ...sample.path,
        ...Object.fromEntries(Object.entries(values).filter(([name]) => name in sample.path)),
        ...withKey,
      },
      query: sample.query.map(([name, value]) => [name, values[name] ?? value]),
      body: isObject(sample.body) ? { ...sample.body, ...own, ...place } : sample.body,
    }
  }

  const run = async (operationId: string): Promise<void> => {
    const sample = samples.get(operationId)
    if (sample === undefined || done.has(operationId)) return
    const source = sources.get(operationId)?.operationId
    for (const earlier of [...before[operationId] ?? [], ...source === undefined ? [] : [source]]) {
      await run(earlier)
    }
    done.set(operationId, await send(filled(sample), reader))
  }

  for (const sample of [...samples.values()].toSorted((one, other) => rankOf(one) - rankOf(other))) {
    await run(sample.operationId)
  }
  return [...done.values()]
}
