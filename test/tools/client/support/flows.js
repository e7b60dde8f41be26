import { argv, exit } from "node:process"
import { pathToFileURL } from "node:url"
import { swap } from "./program.js"

/*
 * Every flow of an integrator and an operator, by the client in the file that the first argument names: the calls, their
 * bodies and their streams. Prints the names of those that ended, and fails with the first that did not.
 */
const [file, url, apiKey] = argv.slice(2)
const client = await import(pathToFileURL(file).href)
const broker = new client.SwapBroker({ url, apiKey })
const pair = { sourceAsset: "btc.btc", destinationAsset: "eth.eth" }
const bitcoin = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"
const destinationAddress = "0x2222222222222222222222222222222222222222"
const ways = { ...pair, destinationAddress, refundAddress: bitcoin }

const assert = (is, what) => {
  if (!is) throw new Error(what)
}

const all = async (events) => {
  const seen = []
  for await (const { event } of events) seen.push(event)
  return seen
}

/** Opens, pays and passes time until the swap is over; its status then. */
const ended = async (more) => {
  const channel = await broker.openSwap({ ...ways, ...more })
  await broker.createSandboxDeposit({ address: channel.address, amount: "0.25" })
  for (let turns = 0; turns < 200; turns += 1) {
    await broker.advanceSandboxTime({ advanceSeconds: 600 })
    const found = await broker.getStatusById({ swapId: channel.id })
    if (["completed", "failed"].includes(found.status.state)) return { channel, found }
  }
  throw new Error("The swap did not end")
}

const flows = {
  "a signed swap with its stream and its case file": async () => {
    const saw = await swap(client, url, apiKey)
    assert(saw.once && saw.arrived === "true", JSON.stringify(saw))
  },
  "lists without a key": async () => {
    const open = new client.SwapBroker({ url })
    const { assets } = await open.listAssets()
    const { networks } = await open.listNetworks()
    assert(assets.length > 10 && networks.length > 5, "few assets or networks")
    await open.getLogo({ name: "btc.btc.svg" })
    await open.getLiveness()
    await open.getReadiness()
    await open.getProviderHealth()
  },
  "quotes in every form": async () => {
    const [human] = await broker.getQuotes({ ...pair, amount: "0.25" })
    const [native] = await broker.getQuotesNative({ ...pair, amount: 25000000n })
    assert(human.egressAmountNative === native.egressAmountNative, "two quotes")
    await broker.getQuote({ ...pair, amount: "0.25" })
    await broker.getQuoteNative({ ...pair, amount: 25000000n })
    await broker.compareQuotes({ ...pair, amount: "0.25" })
    await broker.explainQuote({ quoteId: human.quoteId })
    const seen = await all(broker.streamQuotes({ ...pair, amount: "0.25" }))
    assert(seen.at(-1) === "done", seen.join())
  },
  "a payout": async () => {
    const { channel, found } = await ended({})
    const { issuedBlock, network, channelId } = channel
    const other = await broker.getStatusByDepositChannel({ issuedBlock, network, channelId })
    const { transactionReference } = found.status.deposit
    const third = await broker.getStatusByTransactionHash({ transactionHash: transactionReference })
    assert(found.status.swapEgress && other.id === third.id, "three look-ups of one swap")
    const journal = await broker.getSwapJournal({ id: `${channel.id}` })
    assert(journal.length > 2, "a journal")
  },
  "a refund": async () => {
    const { found } = await ended({ minimumPrice: "1000" })
    assert(found.status.state === "completed" && found.status.refundEgress, JSON.stringify(found.guidance))
  },
  "a payload": async () => {
    const payload = await broker.getEvmPayload({
      sourceAsset: "eth.eth",
      destinationAsset: "btc.btc",
      destinationAddress: bitcoin,
      refundAddress: destinationAddress,
      amount: "1.5",
      minimumPrice: "0.00001",
    })
    assert(payload.calldata ?? payload.steps, "a call")
  },
  "a channel that is shown to its payer": async () => {
    const channel = await broker.openSwap(ways)
    assert((await broker.getPaymentCode({ id: `${channel.id}` })).includes("<svg"), "an image")
    assert((await broker.linkPayer({ id: `${channel.id}` })).url.includes("/pay/"), "a link")
  },
  "the history and its sums": async () => {
    const swaps = await broker.listSwaps({ status: ["completed"], limit: 2, sort: "ascending" })
    assert(swaps.length === 2, "two swaps")
    await broker.getCommission({ from: "2026-11-01", to: "2026-11-30" })
    await broker.listRequestErrors()
  },
  "a webhook": async () => {
    const webhook = await broker.createWebhook({ url: "http://127.0.0.1:1024/" })
    await broker.changeWebhook({ id: webhook.id, enabled: true })
    await broker.testWebhook({ id: webhook.id })
    await broker.rotateWebhookSecret({ id: webhook.id })
    await broker.listDeliveries({ id: webhook.id })
    await broker.removeWebhook({ id: webhook.id })
  },
  "refusals": async () => {
    const [one, other] = await Promise.all([
      broker.getQuotes({ ...pair, amount: "0.00000001" }).catch((error) => error),
      broker.openSwap({ ...ways, destinationAddress: "nowhere" }).catch((error) => error),
    ])
    assert(one instanceof client.ProblemError && other instanceof client.ProblemError, "two problems")
    assert(other.problem.errors.destinationAddress !== undefined, "an error of the address")
  },
  "the operator's account, key and audit": async () => {
    const name = `shop-${Math.trunc(Math.random() * 1e9)}`
    await broker.createAccount({ name, commissionBps: 20 })
    await broker.changeAccount({ name, commissionBps: 30 })
    const { id } = await broker.issueKey({ name, label: "first" })
    await broker.listKeys({ name })
    await broker.revokeKey({ id })
    await broker.setRoute({ name, ...pair, allowed: false })
    await broker.listRoutes({ name })
    await broker.listAccounts()
    await broker.listAudit()
    await broker.listAccountSwaps()
    await broker.sumCommission({ from: "2026-11-01", to: "2026-11-30" })
  },
  "the operator's providers, alerts and money": async () => {
    await broker.listProviders()
    await broker.getProviderHistory({ name: "chainflip" })
    await broker.getReportCard({ name: "chainflip" })
    await broker.countOpenChannels()
    await broker.listOpenChannels()
    await broker.listAlerts()
    await broker.getTreasury()
    await broker.listAffiliates()
  },
}

for (const [name, flow] of Object.entries(flows)) {
  try {
    await flow()
    console.log(name)
  } catch (error) {
    console.error(name, error?.problem ?? error)
    exit(1)
  }
}
