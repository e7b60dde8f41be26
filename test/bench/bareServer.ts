/** The least that can answer with JSON: one fixed value (`BODY`), written anew for each request. */
const body: unknown = JSON.parse(Deno.env.get("BODY") ?? "null")

Deno.serve({
  hostname: "127.0.0.1",
  port: 0,
  onListen: ({ hostname, port }) => console.log(`Listening on http://${hostname}:${port}`),
}, () => Response.json(body))
