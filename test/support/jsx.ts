import manifest from "../../deno.json" with { type: "json" }

/** How tests read JSX: as deno.json has it, but for the precompile, which only Deno does. */
export const jsx = {
  runtime: "automatic",
  importSource: manifest.name,
  development: false,
} as const
