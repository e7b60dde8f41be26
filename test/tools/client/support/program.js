/*
 * What an integrator's program does, in every runtime: a swap by a signed answer from quote to end, the list, a case file.
 * Gives what it saw.
 */
export const swap = async (client, url, apiKey) => {
  const { keys: caseKeys } = await new client.SwapBroker({ url }).getCaseKeys()
  const broker = new client.SwapBroker({ url, apiKey, caseKeys })
  const [best] = await broker.getQuotes({
    sourceAsset: "btc.btc",
    destinationAsset: "eth.eth",
    amount: "0.25",
  })
  const order = {
    ...best.swapParameters,
    quoteId: best.quoteId,
    destinationAddress: "0x2222222222222222222222222222222222222222",
    refundAddress: "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
  }
  const idempotencyKey = `${Math.random()}`
  const channel = await broker.openSwapByPost(order, { idempotencyKey })
  const again = await broker.openSwapByPost(order, { idempotencyKey })
  await broker.createSandboxDeposit({ address: channel.address, amount: best.ingressAmount })
  let isOver = false
  const states = []
  const following = (async () => {
    for await (const { data } of broker.followSwap({ swapId: channel.id })) {
      states.push(data.data.status.state)
    }
    isOver = true
  })()
  while (!isOver && states.at(-1) !== "completed") await broker.advanceSandboxTime({ advanceSeconds: 300 })
  await following
  const [{ status }] = await broker.listSwaps({ limit: 1, status: ["completed"] })
  let file = ""
  await broker.getCaseFile({ id: `${channel.id}` }, { onAnswer: ({ text }) => file = text })
  await client.verifyCaseFile(file, caseKeys)
  const refused = await broker.openSwap({ ...order, destinationAddress: "nowhere" }).catch((error) => error)
  return {
    once: again.id === channel.id,
    states: [...new Set(states)],
    arrived: `${status.swapEgress.amountNative === best.egressAmountNative}`,
    kinds: [typeof best.egressAmount, typeof best.egressAmountNative, typeof channel.id].join(" "),
    refused: `${refused instanceof client.ProblemError} ${refused.problem.status} ${
      Object.keys(refused.problem.errors)
    }`,
  }
}
