/** The least that can answer: one fixed JSON text (`BODY`), whatever is asked. */
const body = Deno.env.get("BODY") ?? "null"
const headers = { "content-type": "application/json" }

Deno.serve({
  hostname: "127.0.0.1",
  port: 0,
  onListen: ({ hostname, port }) => console.log(`Listening on http://${hostname}:${port}`),
}, () => new Response(body, { headers }))
