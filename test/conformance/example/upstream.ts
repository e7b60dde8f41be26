import { makeExchange } from "./exchange.ts"

/* The upstream on a socket, for a service that is started by hand. */
Deno.serve({ hostname: "127.0.0.1", port: 4100 }, makeExchange(Deno.env.get("EXAMPLE_KEY") ?? "a-key").handle)
