import { Predicate, Struct } from "effect"
import { testType } from "#domain/accounts/Webhook.ts"
import { writtenAnswers } from "./writtenAnswers.ts"
import answers from "./answers.json" with { type: "json" }
import { mapMembers, mapOperations, type Members } from "./json.ts"

/** A working request: its parameters beyond the required ones, and its body. */
interface Sample {
  readonly parameters?: Readonly<Record<string, string>>
  readonly body?: unknown
}

const addresses = {
  bitcoin: "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
  ethereum: "0x2222222222222222222222222222222222222222",
  solana: "7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU",
  tron: "TQNPGpohiZLiWQvc6wTWjHCae8VoxaXnej",
  xrpl: "rN7n7otQDd6FczFgLdSqtcsAUxDkw6fzRH",
}

const target = { destinationAsset: "eth.eth", destinationAddress: addresses.ethereum }
const swap = { sourceAsset: "btc.btc", ...target, refundAddress: addresses.bitcoin }

const payloads = {
  bitcoin: { ...swap, amount: "0.25" },
  evm: {
    sourceAsset: "eth.eth",
    destinationAsset: "btc.btc",
    destinationAddress: addresses.bitcoin,
    refundAddress: addresses.ethereum,
    amount: "2",
  },
  solana: {
    sourceAsset: "sol.sol",
    ...target,
    refundAddress: addresses.solana,
    sourceAddress: addresses.solana,
    amount: "20",
  },
  tron: { sourceAsset: "trx.tron", ...target, refundAddress: addresses.tron, amount: "10000" },
  xrpl: { sourceAsset: "xrp.xrp", ...target, refundAddress: addresses.xrpl, amount: "5000" },
}

const webhook = {
  url: "https://example.com/webhooks",
  types: ["swap.completed", "swap.failed", "swap.refunded"],
}
const webhookChanges = { types: ["swap.completed", "swap.failed"] }
const rotation = { overlapSeconds: 86_400 }
const replay = { fromEventId: 1 }

/** Of a payload what its wallet sends, which is all that the sandbox reads. */
const { calldata, network, to, value } = answers.getEvmPayload["application/json"]

/** The requests of the documentation, by `operationId`; each can be run in a sandbox but for IDs. */
export const samples: Readonly<Record<string, Sample>> = {
  ...Object.fromEntries(["getQuotes", "getQuote", "compareQuotes", "streamQuotes"].map((
    id,
  ) => [id, { parameters: { amount: "0.25" } }])),
  ...Object.fromEntries(
    ["getQuotesNative", "getQuoteNative"].map((id) => [id, { parameters: { amount: "25000000" } }]),
  ),
  openSwap: { parameters: swap },
  openSwapByPost: { body: { ...swap, minimumPrice: "10", retryDurationInBlocks: 150 } },
  getBitcoinPayload: { parameters: payloads.bitcoin },
  createBitcoinPayload: { body: payloads.bitcoin },
  getEvmPayload: { parameters: payloads.evm },
  createEvmPayload: { body: payloads.evm },
  getSolanaPayload: { parameters: payloads.solana },
  createSolanaPayload: { body: payloads.solana },
  getTronPayload: { parameters: payloads.tron },
  createTronPayload: { body: payloads.tron },
  getXrplPayload: { parameters: payloads.xrpl },
  createXrplPayload: { body: payloads.xrpl },
  createWebhook: { body: webhook },
  changeWebhook: { body: webhookChanges },
  rotateWebhookSecret: { body: rotation },
  replayWebhook: { body: replay },
  createAccount: { body: { name: "wallet-one", commissionBps: 25 } },
  changeAccount: { body: { commissionBps: 30 } },
  setMerchant: {
    body: {
      displayName: "Acme Wallet",
      colour: "#0b6b5d",
      support: "help@acme-wallet.example",
      returnUrl: "https://acme-wallet.example",
    },
  },
  issueKey: { body: { scopes: ["quote", "swap", "status", "history"], label: "app" } },
  removeRoute: { parameters: { sourceAsset: "btc.btc", destinationAsset: "eth.eth" } },
  setRoute: { body: { sourceAsset: "btc.btc", destinationAsset: "eth.eth", allowed: true } },
  acceptEnd: { body: { entry: 7 } },
  moveSwap: { body: { account: "wallet-one" } },
  createAccountWebhook: { body: webhook },
  changeAccountWebhook: { body: webhookChanges },
  rotateAccountWebhookSecret: { body: rotation },
  replayAccountWebhook: { body: replay },
  withdraw: { body: { provider: "chainflip", asset: "usdc.eth" } },
  decideWithdrawal: { body: { outcome: "failed", reason: "Nothing was ordered: seen on the chain" } },
  enterIntoLedger: {
    body: { provider: "chainflip", asset: "usdc.eth", amountNative: "-1500000", reason: "Withdrawn by hand" },
  },
  registerAffiliate: {
    body: { provider: "chainflip", name: "wallet-one", withdrawalAddress: addresses.ethereum },
  },
  switchProvider: { body: { operation: "open", enabled: true, reason: "The upstream is well again" } },
  callRpc: {
    body: {
      jsonrpc: "2.0",
      id: 1,
      method: "broker_request_swap_deposit_address",
      params: {
        source_asset: { chain: "Bitcoin", asset: "BTC" },
        destination_asset: { chain: "Ethereum", asset: "ETH" },
        destination_address: addresses.ethereum,
        broker_commission: 25,
        refund_parameters: { retry_duration: 150, refund_address: addresses.bitcoin, min_price: "0x0" },
      },
    },
  },
  createSandboxDeposit: { body: { address: answers.openSwap["application/json"].address, amount: "0.25" } },
  createSandboxVaultSwap: { body: { payload: { network, to, calldata, value } } },
  advanceSandboxTime: { body: { advanceSeconds: 3_600 } },
  setSandboxFault: { body: { provider: "near-intents", kind: "latency", latencyMs: 200, count: 1 } },
  changeSandbox: { body: { change: "movePrice", asset: "eth.eth", bps: 50 } },
}

/** The name of all examples: Scalar sends those with the selected name, and the examples on a page have to agree. */
export const exampleName = "default"

const members = (json: unknown): Members => Predicate.isObject(json) ? json : {}

const exampleOf = (holder: unknown): Members => members(members(members(holder).examples)[exampleName])

const textOf = (value: unknown): string => typeof value === "string" ? value : JSON.stringify(value)

interface Sent {
  readonly place: unknown
  readonly name: string
  readonly value: string
}

const sentBy = (operation: Members): ReadonlyArray<Sent> =>
  (Array.isArray(operation.parameters) ? operation.parameters : []).flatMap((parameter) => {
    const { value, "x-disabled": isOff } = exampleOf(parameter)
    const { in: place, name } = members(parameter)
    return isOff === true ? [] : [{ place, name: `${name}`, value: textOf(value) }]
  })

const targetOf = (path: string, sent: ReadonlyArray<Sent>): string => {
  const inPath = new Map(sent.flatMap(({ name, place, value }) => place === "path" ? [[name, value]] : []))
  return path.replaceAll(/\{(\w+)\}/g, (_, name) => inPath.get(name) ?? "").replace("YOUR_API_KEY", "$KEY")
}

/** Text quoted for a shell, which leaves everything inside as it is. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

const hasKey = ({ security }: Members): boolean => Array.isArray(security) && security.length > 0

const curlOf = (path: string, method: string, operation: Members): string => {
  const body = exampleOf(members(members(operation.requestBody).content)["application/json"]).value
  const sent = sentBy(operation)
  const query = sent.filter(({ place }) => place === "query")
  return [
    `curl ${query.length === 0 ? "" : "--get "}"$URL${targetOf(path, sent)}"`,
    ...query.map(({ name, value }) => `--data ${new URLSearchParams([[name, value]])}`),
    ...(method === "get" || method === "post" && body !== undefined
      ? []
      : [`--request ${method.toUpperCase()}`]),
    ...(hasKey(operation) ? ['--header "X-API-Key: $KEY"'] : []),
    ...(body === undefined
      ? []
      : ['--header "Content-Type: application/json"', `--data ${quoted(JSON.stringify(body, null, 2))}`]),
  ].join(" \\\n  ")
}

/**
 * Adds the operation's request for a shell, with `URL` and `KEY` as in the quickstart. Scalar's own samples would have
 * every possible parameter, and no two of them would agree.
 */
const withCodeSample = (operation: Members, path: string, method: string): Members => ({
  ...operation,
  "x-codeSamples": [{ lang: "Shell", label: "curl", source: curlOf(path, method, operation) }],
})

const written = (operation: string): Members => {
  const own = writtenAnswers[operation]
  return Predicate.isObject(own) ? own : {}
}

const recorded: Members = {
  ...writtenAnswers,
  ...Object.fromEntries(
    Object.entries(answers).map(([operation, own]) => [operation, { ...written(operation), ...own }]),
  ),
}

/** The operations that answer their samples as others do (by channel, `swapCount` besides): one component shows both. */
export const answeredAlike: Readonly<Record<string, keyof typeof answers>> = {
  createBitcoinPayload: "getBitcoinPayload",
  createEvmPayload: "getEvmPayload",
  createSolanaPayload: "getSolanaPayload",
  createTronPayload: "getTronPayload",
  createXrplPayload: "getXrplPayload",
  changeSandbox: "getSandbox",
  getAnyCaseFile: "getCaseFile",
  getAnySwapJournal: "getSwapJournal",
  getStatusByDepositChannel: "getStatusById",
  openSwapByPost: "openSwap",
}

const sampleValue = (parameter: Members, { parameters = {} }: Sample): unknown => {
  const own = parameters[`${parameter.name}`]
  const { examples, type } = Predicate.isObject(parameter.schema) ? parameter.schema : {}
  if (own !== undefined) return type === "number" || type === "integer" ? Number(own) : own
  return Array.isArray(examples) ? examples[0] : undefined
}

/** A parameter with its example. Scalar sends every parameter with an example, unless told to leave it out. */
const illustrateParameter = (sample: Sample) => (parameter: unknown): unknown => {
  if (!Predicate.isObject(parameter)) return parameter
  const isSent = parameter.required === true || `${parameter.name}` in (sample.parameters ?? {})
  const example = { value: sampleValue(parameter, sample), ...(isSent ? {} : { "x-disabled": true }) }
  return { ...parameter, examples: { [exampleName]: example } }
}

const withExample = (body: unknown, value: unknown): unknown =>
  value === undefined || !Predicate.isObject(body) ? body : {
    ...body,
    content: mapMembers(
      body.content,
      (content) =>
        Predicate.isObject(content) ? { ...content, examples: { [exampleName]: { value } } } : content,
    ),
  }

/** A value with the first item of each list: others say nothing new of its form. */
const inShort = (json: unknown): unknown =>
  Array.isArray(json) ? json.slice(0, 1).map(inShort) : mapMembers(json, inShort)

/** The answer with an example for each of its types of content, as one or several were recorded. */
const withAnswer = (response: unknown, recording: unknown): unknown =>
  Predicate.isObject(response) && Predicate.isObject(recording)
    ? {
      ...response,
      content: mapMembers(
        response.content,
        (content, type) =>
          Predicate.isObject(content) && type in recording
            ? { ...content, examples: { [exampleName]: { value: inShort(recording[type]) } } }
            : content,
      ),
    }
    : response

const illustrateOperation = (operation: Members): Members => {
  const sample = samples[`${operation.operationId}`] ?? {}
  const name = `${operation.operationId}`
  const recording = recorded[answeredAlike[name] ?? name]
  return {
    ...operation,
    parameters: Array.isArray(operation.parameters)
      ? operation.parameters.map(illustrateParameter(sample))
      : operation.parameters,
    ...("requestBody" in operation ? { requestBody: withExample(operation.requestBody, sample.body) } : {}),
    responses: mapMembers(
      operation.responses,
      (response, status) =>
        status.startsWith("2") && Predicate.isObject(response) && "content" in response
          ? withAnswer(response, recording)
          : response,
    ),
  }
}

/** The paths, with a working request of each operation and its answer. */
export const illustrate = (paths: unknown): unknown =>
  mapOperations(
    paths,
    (operation, path, method) => withCodeSample(illustrateOperation(operation), path, method),
  )

const stateAt: Readonly<Record<string, string>> = {
  "swap.refunded": "failed",
  "swap.stalled": "receiving",
  "swap.disputed": "swapping",
  "channel.expired": "waiting",
}

/** A webhook message's body: the recorded swap at its completion, for each event type; none for a test. */
export const recordedMessage = (type: string): unknown => {
  const { status, ...record } = Struct.omit(answers.getStatusById["application/json"], ["guidance"])
  const opened = Struct.omit(status, [
    "deposit",
    "lastStateChainUpdateAt",
    "lastStateChainUpdateAtDate",
    "swap",
    "swapEgress",
    "swapId",
  ])
  const state = stateAt[type] ?? type.replace(/^swap\./, "")
  const told = state === "completed" ? status : { ...opened, state, fees: [] }
  return {
    type,
    timestamp: "2026-07-29T14:04:24+00:00",
    data: type === testType ? {} : { ...record, status: told },
  }
}
