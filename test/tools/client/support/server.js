import { Buffer } from "node:buffer"
import { createServer } from "node:http"
import { argv } from "node:process"
import { swap } from "./program.js"

/* The program in a runtime for servers, which also hears of itself by a webhook. */
const [url, apiKey] = argv.slice(2)
// Of the project that the test makes: none has this name here.
const packageName = "swap-broker-client"
const client = await import(packageName)

const heard = async () => {
  let resolve = () => {}
  const promise = new Promise((heard) => resolve = heard)
  const secrets = []
  const server = createServer(async (request, response) => {
    const pieces = []
    for await (const piece of request) pieces.push(piece)
    const received = { headers: request.headers, body: new Uint8Array(Buffer.concat(pieces)), secrets }
    resolve(
      await client.verifyWebhook(received).then(({ message }) => message.type, (error) => error.message),
    )
    response.writeHead(204).end()
  })
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve))
  const broker = new client.SwapBroker({ url, apiKey })
  const webhook = await broker.createWebhook({ url: `http://127.0.0.1:${server.address().port}/` })
  secrets.push(webhook.secret)
  await broker.testWebhook({ id: webhook.id })
  const type = await promise
  await broker.removeWebhook({ id: webhook.id })
  server.close()
  server.closeAllConnections?.()
  return type
}

console.log(JSON.stringify({ ...await swap(client, url, apiKey), heard: await heard() }))
